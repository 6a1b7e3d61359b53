# SPDX-License-Identifier: BSD-3-Clause
"""Calls of the program: tables, options, errors, studies."""
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import programs
import pytest

import tutti

TEST = Path(__file__).parent


def test_a_run_is_a_table_with_units_and_provenance():
    table = tutti.run("bcast", platform="crill", procs=[4, 8], algorithm=["binomial", "chain"],
                      message_size="1KiB:4KiB", ppn=2)
    assert list(table["message_bytes"]) == [1024, 2048, 4096] * 4
    assert set(zip(table["algorithm"], table["procs"])) == {
        ("binomial", 4), ("binomial", 8), ("chain", 4), ("chain", 8)}
    assert table["time_s"].dtype == float and (table["time_s"] > 0).all()
    assert table["repetition_max_s"].dtype == float and table["repetition_max_s"].isna().all()
    assert list(table["platform"].unique()) == ["crill"]
    units = table.attrs["units"]
    assert (units["time_s"], units["message_bytes"]) == ("s", "B") and "procs" not in units
    assert table.attrs["provenance"]["platform"]["hosts"] == 16
    assert table.attrs["command"] == ("sim run bcast --platform crill --procs 4,8 --ppn 2 "
                                      "--algorithm binomial,chain --message-size 1KiB:4KiB")


def test_lists_may_be_ranges_and_arrays():
    table = tutti.run("bcast", platform="crill", procs=range(2, 5),
                      message_size=np.array([8, 16]), model_only=True, oversubscribe=False)
    assert sorted(set(table["procs"])) == [2, 3, 4]
    assert sorted(set(table["message_bytes"])) == [8, 16]
    assert table["time_s"].isna().all() and (table["model_loggp_s"] > 0).all()


def test_ranks_are_on_the_nodes_in_the_order_given(tmp_path):
    # Neighbors are below different leaf switches, whose nodes share one link.
    nodes = [12, 5, 13, 4, 14, 7]
    machine = tmp_path / "tree.xml"
    machine.write_text('<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-15" '
                       'speed="1Gf" bw="1GBps" lat="1us" topology="FAT_TREE" '
                       'topo_parameters="2;4,4;1,1;1,1"><prop id="mpi/eager_limit" value="8KiB"/>'
                       '<prop id="mpi/send_overhead" value="0"/><prop id="mpi/recv_overhead" '
                       'value="0"/></cluster></platform>')
    ranks = tmp_path / "ranks.txt"
    ranks.write_text("".join(f"rank {i}={node} slot=0\n" for i, node in enumerate(nodes)))
    job = {"platform": str(machine), "procs": 6, "ppn": 1, "algorithm": "ring",
           "message_size": "100kB"}
    table = tutti.run("allgather", nodes=nodes, **job)
    assert list(table["map"]) == ["block on 12,5,13,4,14,7"]
    by_file = tutti.run("allgather", **{**job, "map": f"rankfile:{ranks}"})
    by_study = tutti.sweep(workload="allgather", nodes=",".join(map(str, nodes)), **job)
    ordered = tutti.run("allgather", nodes=sorted(nodes), **job)
    times = [each["time_s"].iloc[0] for each in (by_file, by_study, table, ordered)]
    assert times[:2] == pytest.approx([times[2]] * 2, rel=1e-9)
    assert times[3] != pytest.approx(times[2], rel=1e-3)


def test_several_platforms_and_replaced_parameters_have_columns():
    crill = tutti.platform("crill")
    changed = crill.with_(eager_limit="64KiB")
    assert changed == crill.with_({"mpi/eager_limit": "64KiB"}) and changed != crill
    assert not crill.overrides and len({crill, changed, crill.with_(eager_limit="64KiB")}) == 2
    assert "eager_limit          64 KiB" in changed.show()
    table = tutti.run("bcast", platform=[crill, changed], procs=32, ppn=2, message_size=16384)
    assert list(table["mpi/eager_limit"].fillna("default")) == ["default", "64KiB"]
    # Inside nodes, the limit stays.
    assert list(table["rendezvous_messages"]) == [31, 8]
    pair = tutti.run("bcast", platform=["crill", "leonardo"], procs=4, message_size=64)
    assert list(pair["platform"]) == ["crill", "leonardo"]
    with pytest.raises(tutti.Error, match="mpi/eagr_limit"):
        crill.with_(eagr_limit="64KiB")


@pytest.mark.parametrize("options, place, message, hint", [
    ({"algorthm": "ring"}, "", "unknown option '--algorthm'", "did you mean '--algorithm'?"),
    ({"algorithm": "rinc"}, "--algorithm", "unknown allreduce algorithm 'rinc'",
     "did you mean 'ring'?"),
    ({"platform": "cril"}, "", "cril: unknown platform: no such file, no catalog entry",
     "did you mean 'crill'?"),
    ({"set": {"mpi/eagr_limit": 4}}, "--set", "unknown key 'mpi/eagr_limit'",
     "did you mean 'mpi/eager_limit'?"),
])
def test_errors_are_those_of_the_program(options, place, message, hint):
    with pytest.raises(tutti.Error) as caught:
        tutti.run("allreduce", **{"platform": "crill", "procs": 4, **options})
    error = caught.value
    assert (error.place, error.message, error.hint) == (place, message, hint)
    assert error.exit_code == 2 and str(error).endswith(f"help: {hint}")


def test_options_of_the_package_are_checked():
    for options in ({"format": "csv"}, {"procs": 4, "n": 4}, {"algorithm": []},
                    {"algorithm": lambda me, call: None}):
        with pytest.raises(tutti.Error):
            tutti.run("bcast", platform="crill", **options)


def test_warnings_become_python_warnings_at_the_call():
    with pytest.warns(tutti.SimulationWarning, match="it requires P = 2") as caught:
        table = tutti.run("allgather", platform="crill", procs=7, algorithm=["two_proc", "ring"],
                          message_size=8)
    assert list(table["algorithm"]) == ["ring"]
    assert caught[0].filename == __file__


def test_a_missing_program_is_reported(monkeypatch, tmp_path):
    monkeypatch.setenv("TUTTI_SIM", str(tmp_path / "sim"))
    with pytest.raises(tutti.Error, match="is not a program"):
        tutti.run("bcast", platform="crill", procs=2)


def test_other_workloads_are_tables_too():
    pingpong = tutti.run("pingpong", platform="crill", message_size=[64, 1024])
    assert list(pingpong["protocol"]) == ["eager", "eager"]
    assert pingpong.attrs["units"]["bandwidth_Bps"] == "B/s"
    write = tutti.run("write", platform="crill", procs=16)
    assert write["time_s"].iloc[0] > 0 and "n_s" not in write.attrs["units"]


def test_lists_of_the_program():
    assert "leonardo" in set(tutti.platforms()["name"])
    assert {"ring", "rabenseifner"} <= set(tutti.algorithms("allreduce")["name"])
    assert set(tutti.algorithms("bcast")["collective"]) == {"bcast"}
    with pytest.raises(tutti.Error, match="unknown collective 'bcst'"):
        tutti.algorithms("bcst")
    assert "Usage: sim run" in tutti.text("run", "--help")


def test_columns_are_described_by_the_program():
    columns = tutti.columns()
    assert list(columns) == ["group", "name", "type", "unit", "meaning"]
    assert {"text", "number", "flag"} <= set(columns["type"]) and "1" not in set(columns["unit"])
    of_runs = tutti.columns("sim run COLLECTIVE").set_index("name")
    assert of_runs.index.is_unique and (of_runs["meaning"].str.len() > 5).all()
    assert tuple(of_runs.loc["time_s", ["type", "unit"]]) == ("number", "s")
    assert tuple(of_runs.loc["data_verified", ["type", "unit"]]) == ("flag", "")
    table = tutti.run("bcast", platform="crill", procs=2, message_size=8)
    assert set(table.columns) <= set(columns["name"])
    with pytest.raises(tutti.Error, match="unknown group 'bcast'"):
        tutti.columns("bcast")


def test_programs_without_a_dictionary_of_columns_are_rejected(monkeypatch, tmp_path):
    program = tmp_path / "sim"
    program.write_text("#!/bin/sh\necho '[]'\n")
    program.chmod(0o755)
    monkeypatch.setenv("TUTTI_SIM", str(program))
    with pytest.raises(tutti.Error, match="does not describe columns as sim.columns/1"):
        tutti.columns()


def test_tables_are_compared_by_the_program():
    options = dict(platform="crill", procs=8, message_size="1KiB:4KiB")
    slow, fast = (tutti.run("bcast", algorithm=each, **options) for each in ("basic_linear",
                                                                           "binomial"))
    table = tutti.compare(slow, fast)
    assert list(table["message_bytes"]) == [1024, 2048, 4096]
    assert np.allclose(table["ratio"], fast["time_s"] / slow["time_s"])
    assert table.attrs["value"] == "time_s" and table.attrs["median"] < 1


def test_studies_resume_from_their_store(tmp_path):
    keys = dict(workload="bcast", platform=tutti.Platform("crill", {"mpi/gap": "1us"}), procs=16,
                algorithm=["binomial", "chain"], message_size="1KiB:4KiB",
                set={"mpi/eager_limit": ["2KiB", "64KiB"]}, store=tmp_path / "bcast.db")
    table = tutti.sweep(**keys)
    assert len(table) == 12 and set(table["status"]) == {"done"}
    assert set(table["mpi/eager_limit"]) == {2048, 65536} and table["mpi/gap"].nunique() == 1
    again = tutti.sweep(**keys)
    assert list(again["finished"]) == list(table["finished"])
    stored = tutti.open(tmp_path / "bcast.db")
    assert stored.equals(again) and stored.attrs["units"]["time_s"] == "s"
    stored.to_csv(tmp_path / "bcast.csv")
    same = {"base": {"workload": "bcast"}, "matrix": {"platform": ["crill"], "procs": [2, 4],
                                                      "message_size": 8}}
    assert sorted(tutti.sweep(same)["procs"]) == [2, 4]
    file = tmp_path / "study.toml"
    file.write_text('[base]\nworkload = "bcast"\nplatform = "crill"\nmessage_size = 8\n'
                    '[matrix]\nprocs = [2, 4]\n')
    assert list(tutti.sweep(file, where="procs < 3").query("status == 'done'")["procs"]) == [2]
    assert (tmp_path / "study.db").exists()


def test_errors_of_studies_have_their_place():
    with pytest.raises(tutti.Error) as caught:
        tutti.sweep({"base": {"workload": "bcast", "platfrm": "crill"}, "matrix": {"msize": 1}})
    assert caught.value.place.endswith("study.toml:3:1")
    assert caught.value.hint == "did you mean 'platform'?"
    assert "unknown key 'msize'" in str(caught.value)
    with pytest.raises(tutti.Error, match="is a rank program"):
        tutti.sweep(workload="allreduce", platform="crill", procs=2, algorithm=programs.ring)
    with pytest.raises(tutti.Error, match="no such store"):
        tutti.open("missing.db")


def test_an_interrupt_ends_the_program(tmp_path):
    program = tmp_path / "sim"
    program.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 60\n")
    program.chmod(0o755)
    child = subprocess.Popen([sys.executable, "-c", "import tutti; tutti.run('bcast')"],
                             env={**os.environ, "TUTTI_SIM": str(program),
                                  "PYTHONPATH": str(TEST.parents[1] / "python")},
                             # Jobs in the background ignore interrupts.
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
                             stderr=subprocess.PIPE, text=True)
    for _ in range(200):
        time.sleep(0.05)
        if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip():
            break
    pid = int((tmp_path / "pid").read_text())
    child.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in child.communicate(timeout=20)[1]
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


# ---- Figures

def lines_of(axes):
    return {line.get_label(): line for line in axes.get_lines()}


def test_a_figure_has_a_line_per_algorithm_with_units():
    table = tutti.run("allreduce", platform="crill", procs=16, message_size="1KiB:64KiB",
                      algorithm=["auto", "ring", "recursive_doubling"])
    axes = tutti.plot(table)
    assert list(lines_of(axes)) == ["auto", "ring", "recursive_doubling"]
    assert axes.get_xlabel() == "Message size" and axes.get_ylabel() == "Time (µs)"
    assert axes.get_title() == "allreduce, crill, 16 processes on 1 node"
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    ring = table[table["algorithm"] == "ring"]
    drawn = lines_of(axes)["ring"]
    assert np.allclose(drawn.get_ydata(), ring["time_s"] * 1e6)
    assert list(drawn.get_xdata()) == list(ring["message_bytes"])
    assert len({line.get_color() for line in axes.get_lines()}) == 3
    plt.close("all")


def test_one_size_is_drawn_as_bars_and_processes_as_x_axis():
    table = tutti.run("allreduce", platform="crill", procs=[4, 16], message_size=1024,
                      algorithm=["ring", "recursive_doubling"])
    assert tutti.plot(table).get_xlabel() == "Processes"
    bars = tutti.plot(table[table["procs"] == 4])
    assert bars.get_xlabel() == "Time (µs)" and len(bars.patches) == 2
    barrier = tutti.run("barrier", platform="crill", procs=4, algorithm=["bruck", "tree"])
    assert tutti.plot(barrier).get_title() == "barrier, crill, 4 processes on 1 node"
    widths = [bar.get_width() for bar in bars.patches]
    assert widths == sorted(widths, reverse=True)
    assert bars.get_title() == "allreduce, crill, 4 processes on 1 node, 1 KiB"
    plt.close("all")


def test_platforms_and_parameters_distinguish_lines():
    machine = tutti.Platform("crill")
    table = tutti.run("bcast", platform=[machine, machine.with_(eager_limit="64KiB")], procs=32,
                      ppn=4, message_size="1KiB:64KiB", algorithm="binomial")
    assert list(lines_of(tutti.plot(table))) == ["eager_limit default", "eager_limit 64KiB"]
    with pytest.raises(tutti.Error, match="'crill' has 2 rows for message_bytes 1024") as caught:
        tutti.plot(table, by="platform")
    assert caught.value.hint.startswith("they differ in mpi/eager_limit: ")
    with pytest.raises(tutti.Error, match="'eager_limit default' has 7 rows"):
        tutti.plot(table, x="procs", by="mpi/eager_limit")
    with pytest.raises(tutti.Error, match="unknown column 'latency'"):
        tutti.plot(table, y="latency")
    with pytest.raises(tutti.Error, match="no row has a value"):
        tutti.plot(table, y="repetition_max_s")
    plt.close("all")


def test_two_things_have_two_labels():
    table = tutti.run("allreduce", algorithm=[programs.ring, "ring"], platform="crill", procs=4,
                      message_size=1024)
    axes = tutti.plot(table)
    assert sorted(each.get_text() for each in axes.get_yticklabels()) == ["ring", "ring (Python)"]
    again = pd.concat([table, table], ignore_index=True)
    for shown in (again, again.assign(message_bytes=[1, 2, 1, 2])):
        with pytest.raises(tutti.Error, match="has 2 rows"):
            tutti.plot(shown)
    plt.close("all")


def drawn_labels(axis):
    axis.axes.figure.canvas.draw()
    return [label for label in axis.get_ticklabels() if label.get_text()]


def overlaps(labels):
    boxes = [label.get_window_extent() for label in labels]
    return any(a.overlaps(b) for a, b in zip(boxes, boxes[1:]))


@pytest.mark.parametrize("x, values", [
    ("procs", [32, 48, 61, 64, 80, 96, 120, 127, 128]), ("procs", [2, 3, 4, 5, 6]),
    ("procs", list(range(1, 200))), ("message_bytes", [1 << each for each in range(31)]),
    ("message_bytes", [0, *(1 << each for each in range(10, 21))]),
    ("message_bytes", [1000, 1500, 1 << 20, (1 << 20) + 1])])
@pytest.mark.parametrize("largest", [1.6, 50.0, 4e6])
def test_axes_have_plain_numbers_that_do_not_overlap(x, values, largest):
    times = np.geomspace(5e-6, 5e-6 * largest, len(values))
    table = pd.DataFrame({"algorithm": "ring", x: values, "time_s": times})
    axes = tutti.plot(table, x=x)
    assert axes.get_title() == ""
    assert axes.get_yscale() == ("linear" if largest < 10 else "log")
    for axis in (axes.xaxis, axes.yaxis):
        labels = drawn_labels(axis)
        assert len(labels) >= 2 and not overlaps(labels)
        assert not any("$" in each.get_text() or "e" in each.get_text() for each in labels)
    if largest < 10:
        assert axes.get_ylim()[0] == 0
    if values[-1] == 128:
        assert [each.get_text() for each in drawn_labels(axes.xaxis)] == [
            "32", "48", "64", "80", "96", "128"]
    plt.close("all")


def test_parquet_keeps_values_if_an_engine_is_installed(tmp_path):
    pytest.importorskip("pyarrow")  # not in Debian 12
    table = tutti.run("bcast", platform="crill", procs=4, message_size=8)
    table.to_parquet(tmp_path / "table.parquet")
    assert (pd.read_parquet(tmp_path / "table.parquet")["time_s"] == table["time_s"]).all()


def test_the_version_is_that_of_the_program():
    project = (TEST.parents[1] / "CMakeLists.txt").read_text()
    assert f"project(tutti VERSION {tutti.__version__} " in project
