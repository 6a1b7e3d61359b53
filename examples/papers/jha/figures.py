# SPDX-License-Identifier: BSD-3-Clause
"""Draws what corresponds to the figures of chapters 3 to 5 of S. Jha's dissertation.

`sim` computes the data, and `sim plot` draws them; nothing is copied from the dissertation, so that
measured curves are simulated ones here. Figures 5.1 to 5.4 are sketches of data decompositions
without data. Without -o, only lists the figures.
"""
import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import improvement  # noqa: E402
from common import SIM, part, sim  # noqa: E402
from io_model import predict  # noqa: E402


def sensitivity():
    """By message size, the gain of a ping-pong by its own best values of Table 3.1."""
    for group, where in (("openib", "between nodes (openib)"), ("sm", "inside a node (sm)")):
        for row in part(sim("tune", HERE / f"figure3_1-{group}.toml"), "gains"):
            yield {"message_bytes": row["message_bytes"], "gain": row["alone_gain"],
                   "parameters": where}


def improvements():
    """Points of all collectives; each figure takes those of one or two algorithms."""
    messages, models = improvement.Messages(), improvement.Models()
    for row in improvement.points_table(messages, models, improvement.all_calls(messages)):
        if row["map"] == "block" and row["improvement"] is not None:
            yield {key: row[key] for key in ("algorithm", "procs", "message_bytes", "source",
                                             "improvement")}


def scenario(point):
    return f"{point['decomposition'][0]}-D {point['partitioning']}"


def predicted(machine, procs, bytes_per_proc, aggregators, buffers, **which):
    """The model's points, with a name of the scenario."""
    for point in predict(machine, procs, bytes_per_proc, aggregators, buffers, **which):
        yield {**{key: point[key] for key in ("procs", "bytes_per_proc", "aggregators",
                                              "buffer_bytes")},
               "predicted_time_s": point["model_loggp_s"], "scenario": scenario(point),
               "receive_fraction": point["model_recv_s"] / point["model_loggp_s"]}


def decompositions():
    rows = list(predicted("crill", "144,225,576", "16MiB:1GiB:*2", 64, "32MiB"))
    one = {(row["procs"], row["bytes_per_proc"], row["scenario"]): row["predicted_time_s"]
           for row in rows}
    for row in rows:
        if row["scenario"].startswith("2"):
            key = row["procs"], row["bytes_per_proc"], "1" + row["scenario"][1:]
            yield {**row, "extra_time_fraction": row["predicted_time_s"] / one[key] - 1}


def file_systems():
    for partitioning, buffer in (("even", "32MiB"), ("static", "1MiB")):
        yield from predicted("crill", "144,576", "4MiB:1GiB:*2", 64, buffer,
                             partitioning=partitioning, decomposition="2d")


def projection(procs, counts):
    for partitioning, buffer in (("even", "32MiB"), ("static", "1MiB")):
        yield from predicted("opuntia", procs, "1GiB", counts, buffer, partitioning=partitioning)


def compared(procs, bytes_per_proc, partitioning, buffer, most):
    """Times of the simulation and of the model, divided by those with one aggregator."""
    counts = [1 << i for i in range(most.bit_length())]
    points = sim("run", "write", "-p", "crill", "--implementation", "generic", "--engine", "flow",
                 "--decomposition", "1d,2d", "--partitioning", partitioning, "-n", procs,
                 "--bytes-per-proc", bytes_per_proc, "--buffer-size", buffer, "--aggregators",
                 ",".join(map(str, counts)))["points"]
    first = {point["decomposition"]: point for point in points if point["aggregators"] == 1}
    for point in points:
        for source, column in (("simulated", "time_s"), ("model", "model_loggp_s")):
            yield {"aggregators": point["aggregators"], "source": source,
                   "relative_time": point[column] / first[point["decomposition"]][column],
                   "decomposition": point["decomposition"]}


# The columns of the axes, of the curves, and of the panels; further options of `sim plot`.
IMPROVEMENT = ("message_bytes", "improvement", "source", "algorithm")
TIME = "predicted_time_s"
SCENARIOS = "1-D and 2-D, even and static"


def of_collective(number, procs, *algorithms):
    names = " or ".join(f'algorithm == "{name}"' for name in algorithms)
    title = f"{' and '.join(algorithms)}, {procs} processes: expected and simulated improvement"
    return (number, title, improvements, IMPROVEMENT,
            ("--where", f"procs == {procs} and ({names})", "--log", "x"))


FIGURES = [
    ("3.1", "gain of ping-pong by Table 3.1's parameters", sensitivity,
     ("message_bytes", "gain", "parameters", None), ("--log", "x"))]
for _procs, _first in ((32, 1), (64, 3)):
    FIGURES += [of_collective(f"4.{_first}", _procs, "recursive_doubling", "ring"),
                of_collective(f"4.{_first + 1}", _procs, "neighbor"),
                of_collective(f"4.{_first + 4}", _procs, "binary_tree", "binomial"),
                of_collective(f"4.{_first + 5}", _procs, "pipeline"),
                of_collective(f"4.{_first + 8}", _procs, "pairwise", "linear"),
                of_collective(f"4.{_first + 9}", _procs, "modified_bruck")]
FIGURES.sort(key=lambda figure: [int(each) for each in figure[0].split(".")])
FIGURES += [
    ("5.5", "how much longer 2-D takes than 1-D, crill, 64 aggregators", decompositions,
     ("bytes_per_proc", "extra_time_fraction", "scenario", "procs"), ("--log", "x")),
    ("5.6", "fraction of the predicted time for receiving, crill, 1 GiB per process, "
     + SCENARIOS, lambda: predicted("crill", "144,225,576", "1GiB", 64, "32MiB"),
     ("procs", "receive_fraction", "scenario", None), ("--log", "none")),
    ("5.7", "buffer size, crill, 576 processes, 100 aggregators, " + SCENARIOS,
     lambda: predicted("crill", 576, "1GiB", 100, "1MiB:128MiB:*2"),
     ("buffer_bytes", TIME, "scenario", None), ("--log", "x")),
    ("5.8", "2-D, even with 32 MiB and static with 1 MiB, crill, 64 aggregators", file_systems,
     ("bytes_per_proc", TIME, "scenario", "procs"), ("--log", "xy")),
    ("5.9", "aggregators for 10,000 processes, opuntia, " + SCENARIOS,
     lambda: projection(10000, "16:8192:*2"),
     ("aggregators", TIME, "scenario", None), ("--log", "x")),
    ("5.10", "aggregators for 250,000 processes, opuntia, " + SCENARIOS,
     lambda: projection(250000, "64:131072:*2"),
     ("aggregators", TIME, "scenario", None), ("--log", "x")),
    ("5.11", "225 processes, 13 MB each, static: simulated and predicted, relative",
     lambda: compared(225, 14440000, "static", "1MiB", 128),
     ("aggregators", "relative_time", "source", "decomposition"), ("--log", "x")),
    ("5.12", "576 processes, 64 MiB each, even: simulated and predicted, relative",
     lambda: compared(576, "64MiB", "even", "32MiB", 512),
     ("aggregators", "relative_time", "source", "decomposition"), ("--log", "x"))]


def plot(rows, axes, options, picture):
    x, y, series, panels = axes
    with tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="utf-8", newline="") as file:
        columns = [each for each in rows[0] if each in axes or "--where" in options]
        writer = csv.DictWriter(file, columns, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
        file.flush()
        command = [SIM, "plot", file.name, "-q", "--x", x, "--y", y, "--series", series,
                   *(("--facet", panels) if panels else ()), *options, "-o", picture]
        if subprocess.run(command, check=False).returncode:
            sys.exit(f"{picture}: sim plot failed")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("figure", nargs="*", help="default: all")
    parser.add_argument("-o", metavar="DIR", type=Path, help="draw into this folder")
    parser.add_argument("--format", choices=("svg", "png", "pdf", "vg"), default="svg")
    chosen = parser.parse_args()
    unknown = set(chosen.figure) - {figure[0] for figure in FIGURES}
    if unknown:
        parser.error(f"no such figure: {', '.join(sorted(unknown))}")
    computed = {}  # by function: several figures show parts of the same data
    for number, title, function, axes, options in FIGURES:
        if chosen.figure and number not in chosen.figure:
            continue
        name = f"figure-{number}.{chosen.format}"
        print(f"{number}\t{title}\t{name}")
        if chosen.o:
            chosen.o.mkdir(parents=True, exist_ok=True)
            if function not in computed:
                computed[function] = list(function())
            plot(computed[function], axes, options, chosen.o / name)


if __name__ == "__main__":
    main()
