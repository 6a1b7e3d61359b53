# SPDX-License-Identifier: BSD-3-Clause
"""Arguments of wrong types and values, threads, unusual folders, and programs without an end."""
import itertools
import os
import tempfile
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest

import tutti
from tutti import _schedules


@tutti.algorithm("bcast")
def linear(me, call):
    if me.id == call.root:
        for to in range(me.size):
            if to != call.root:
                yield me.send(to, me.recvbuf)
    else:
        yield me.recv(call.root, me.recvbuf)


@tutti.algorithm("bcast")
def not_here(me, call):
    raise tutti.NotApplicable("never")
    yield  # pylint: disable=unreachable


def program_of(step):
    @tutti.algorithm("allreduce", name="one")
    def one(me, call):
        yield step(me, call)
    return one


STEPS = {
    "compute text": (lambda me, call: me.compute("1us"), "seconds"),
    "compute number as text": (lambda me, call: me.compute("1"), "seconds"),
    "compute None": (lambda me, call: me.compute(None), "seconds"),
    "compute NaN": (lambda me, call: me.compute(float("nan")), "seconds"),
    "compute inf": (lambda me, call: me.compute(np.inf), "seconds"),
    "compute list": (lambda me, call: me.compute([1]), "seconds"),
    "tag text": (lambda me, call: me.isend((me.id + 1) % me.size, None, "x"), "tag"),
    "tag float": (lambda me, call: me.isend((me.id + 1) % me.size, None, 1.0), "tag"),
    "tag negative": (lambda me, call: me.send((me.id + 1) % me.size, None, -1), "tag"),
    "tag large": (lambda me, call: me.send((me.id + 1) % me.size, None, 1 << 31), "tag"),
    "wait number": (lambda me, call: me.wait(5), "request"),
    "wait_all None": (lambda me, call: me.wait_all(None), "request"),
    "split text": (lambda me, call: me.clear(me.recvbuf[call.split("2")[0]]), "count"),
    "split zero": (lambda me, call: me.clear(me.recvbuf[call.split(0)[0]]), "count"),
    "scratch": (lambda me, call: me.clear(me.scratch(1.5)), "bytes"),
    "allocate": (lambda me, call: me.allocate("1KiB"), "bytes"),
    "destination": (lambda me, call: me.send("1"), "destination"),
}


@pytest.mark.parametrize("step, what", STEPS.values(), ids=STEPS.keys())
def test_operations_name_the_argument_of_a_wrong_type(step, what):
    with pytest.raises(tutti.Error) as caught:
        program_of(step).schedule(4, 16, 4).text()
    assert what in caught.value.message
    assert "rank 0" in caught.value.place


CALLS = {
    "workload": lambda: tutti.run("bc\0ast", platform="crill", procs=2),
    "platform": lambda: tutti.run("bcast", platform="cr\0ill", procs=2),
    "platform list": lambda: tutti.run("bcast", platform=["crill", "a\0b"], procs=2),
    "procs": lambda: tutti.run("bcast", platform="crill", procs=b"2"),
    "procs list": lambda: tutti.run("bcast", platform="crill", procs=[2, None]),
    "procs endless": lambda: tutti.run("bcast", platform="crill", procs=itertools.count(2)),
    "map surrogate": lambda: tutti.run("bcast", platform="crill", procs=2, map="file:\ud800"),
    "set": lambda: tutti.run("bcast", platform="crill", procs=2, set="mpi/eager_limit"),
    "algorithm": lambda: tutti.run("bcast", platform="crill", procs=2, algorithm=print),
    "message_size float": lambda: linear.schedule(2, 1.5),
    "message_size None": lambda: linear.schedule(2, None),
    "message_size text": lambda: linear.schedule(2, "1us"),
    "message_size large": lambda: linear.schedule(2, "1e999"),
    "element_bytes": lambda: linear.schedule(2, 8, "x"),
    "procs prove": lambda: linear.prove(procs=itertools.count(2)),
    "root": lambda: linear.prove(procs=2, root="x"),
    "path": lambda: linear.schedule(2, 8).write(""),
    "path NUL": lambda: linear.schedule(2, 8).write("a\0b"),
    "path of": lambda: tutti.schedule("a\0b", platform="crill"),
    "path number": lambda: tutti.schedule(5, platform="crill"),
    "study": lambda: tutti.sweep(""),
    "study number": lambda: tutti.sweep(5),
    "study NUL": lambda: tutti.sweep("a\0b"),
    "store": lambda: tutti.sweep("s.toml", store=""),
    "store open": lambda: tutti.open("a\0b"),
    "store number": lambda: tutti.open(7),
    "a": lambda: tutti.compare(5, "b.csv"),
    "b": lambda: tutti.compare("a.csv", "b\0.csv"),
    "tutti.text": lambda: tutti.text("run", 5),
    "name": lambda: tutti.algorithm("bcast", name=5)(lambda me, call: None),
    "tutti.algorithm": lambda: tutti.algorithm("bcast")(5),
}


@pytest.mark.parametrize("what, call", CALLS.items(), ids=CALLS.keys())
def test_functions_name_the_argument_of_a_wrong_type(what, call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text("[base]\nworkload = 'bcast'\nplatform = 'crill'\nprocs = 2\n")
    Path("a.csv").write_text("procs,time_s\n2,1\n")
    with pytest.raises(tutti.Error) as caught:
        call()
    assert what.split()[0] in f"{caught.value.place} {caught.value.message}"
    assert sorted(os.listdir()) == ["a.csv", "s.toml"]


@pytest.mark.parametrize("value", [None, False, True, 1, "x", [1], {"a": 1}])
def test_unknown_options_are_errors_whatever_their_value(value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text("[base]\nworkload = 'bcast'\nplatform = 'crill'\nprocs = 2\n")
    linear.schedule(2, 8).write("x.goal")
    for call in (lambda **more: tutti.run("bcast", platform="crill", procs=2, **more),
                 lambda **more: tutti.run("bcast", platform="crill", procs=2, algorithm=linear,
                                          **more),
                 lambda **more: tutti.run("write", platform="crill", procs=2, **more),
                 lambda **more: tutti.schedule("x.goal", platform="crill", **more),
                 lambda **more: tutti.compare("s.toml", "s.toml", **more),
                 lambda **more: tutti.sweep("s.toml", **more),
                 lambda **more: tutti.sweep(workload="bcast", platform="crill", procs=2, **more)):
        with pytest.raises(tutti.Error, match="algoritm"):
            call(algoritm=value)


def test_known_options_without_a_value_are_omitted():
    table = tutti.run("bcast", platform="crill", procs=2, message_size=8, root=None, verify=False)
    assert len(table) == 1
    table = tutti.sweep(workload="bcast", platform="crill", procs=2, message_size=8,
                        root=None, where=None)
    assert len(table) == 1


def test_calls_in_threads_leave_the_warning_filters_as_they_are():
    before = list(warnings.filters)
    tables, failures = [], []

    def simulate(procs):
        try:
            tables.append(tutti.run("bcast", platform="crill", procs=procs, algorithm=linear,
                                    message_size=[8, 1024]))
        except BaseException as error:  # pylint: disable=broad-except
            failures.append(error)
    threads = [threading.Thread(target=simulate, args=(procs,)) for procs in range(2, 10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert sorted(len(table) for table in tables) == [2] * 8
    assert warnings.filters == before
    with pytest.warns(tutti.SimulationWarning, match="omitted"):
        tutti.run("bcast", platform="crill", procs=2, algorithm=not_here)


@pytest.mark.parametrize("name", ["a,b", "{procs}", "a b", "x:y", "{", "ü", "a=b"])
def test_any_folder_for_temporary_files(name, tmp_path, monkeypatch):
    folder = tmp_path / name
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    table = tutti.run("bcast", platform="crill", procs=[2, 4], message_size=[8, 64],
                      algorithm=linear)
    assert list(table["algorithm"]) == ["linear"] * 4
    assert len(linear.prove(procs=[2, 3])) == 12
    assert len(tutti.sweep(workload="bcast", platform="crill", procs=2,
                           message_size=8)) == 1
    with pytest.raises(tutti.Error) as caught:
        program_of(lambda me, call: me.recv((me.id + 1) % me.size, me.recvbuf)).prove(procs=2)
    assert "rank" in caught.value.place
    assert not os.listdir(folder)


def test_a_program_without_an_end_is_stopped_and_cleaned_up(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(_schedules, "MOST_OPERATIONS", 1000)
    ended = []

    @tutti.algorithm("barrier")
    def endless(me, _call):
        try:
            while True:
                yield me.compute(1e-6)
        finally:
            ended.append(me.id)
    file = tmp_path / "x.goal"
    file.write_text("old")
    for call in (lambda: endless.schedule(2, 0).write(file),
                 lambda: tutti.run("barrier", platform="crill", procs=2, algorithm=endless),
                 lambda: endless.prove(procs=2)):
        with pytest.raises(tutti.Error, match="more than 1,000 operations of a rank"):
            call()
    assert ended == [0, 0, 0]
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["x.goal"]


def test_a_schedule_replaces_a_file_when_it_is_complete(tmp_path):
    file = tmp_path / "x.goal"
    linear.schedule(2, 8).write(file)
    before = file.read_text()
    with pytest.raises(tutti.Error):
        program_of(lambda me, call: me.compute("x")).schedule(2, 8).write(file)
    assert file.read_text() == before
    with pytest.raises(tutti.Error, match="cannot be written"):
        linear.schedule(2, 8).write(tmp_path / "none" / "x.goal")
    assert os.listdir(tmp_path) == ["x.goal"]
