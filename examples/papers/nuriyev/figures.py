# SPDX-License-Identifier: BSD-3-Clause
"""Simulates the points of Figures 1 and 5 of Nuriyev and Lastovetsky (2020), and prints them as
CSV: figure, message_bytes, series, time_s.

With -o DIR, draws figure-1a.svg, figure-1b.svg and figure-5a.svg to figure-5f.svg with `sim plot`,
each from its CSV.
"""
import argparse
import csv
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from check import PAPER_NAME, SEGMENT, broadcast, choices_of, models_choices, times_of  # noqa: E402
from common import SIM  # noqa: E402

SIZES = "8KiB:4MiB"
COLUMNS = ("message_bytes", "series", "time_s")
PROCS = {"grisou": (50, 80, 90), "gros": (80, 100, 124)}


def figure_1():
    """Binary and binomial broadcasts of 90 processes on Grisou: by Hockney's traditional formulas
    (a), and measured, here simulated (b)."""
    points = broadcast("grisou", 90, SIZES, "--algorithm", "binary_tree,binomial",
                       "--segment-size", SEGMENT)
    for letter, column in (("a", "model_hockney_s"), ("b", "time_s")):
        yield f"1{letter}", [(point["message_bytes"], PAPER_NAME[point["algorithm"]], point[column])
                             for point in points]


def figure_5():
    """The broadcasts that Open MPI 3.1 and the model with the printed parameters choose, and the
    best of the six algorithms."""
    jobs = [(cluster, procs) for cluster, counts in PROCS.items() for procs in counts]
    for letter, (cluster, procs) in zip("abcdef", jobs):
        times = times_of(cluster, procs, SIZES)
        choosers = {"Open MPI": choices_of(cluster, procs, SIZES),
                    "model-based": models_choices(cluster, procs, SIZES),
                    "best": {size: min(each, key=each.get) for size, each in times.items()}}
        yield f"5{letter}", [(size, name, times[size][algorithm])
                             for name, chosen in choosers.items()
                             for size, algorithm in chosen.items()]


def write(out, columns, rows):
    csv.writer(out, lineterminator="\n").writerows([columns, *rows])


def draw(folder, name, rows):
    points = folder / f"figure-{name}.csv"
    with open(points, "w", encoding="utf-8", newline="") as out:
        write(out, COLUMNS, rows)
    subprocess.run([SIM, "plot", points, "-q", "-o", points.with_suffix(".svg"), "--x",
                    "message_bytes", "--y", "time_s", "--series", "series", "--log", "xy"],
                   check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(",", maxsplit=1)[0])
    parser.add_argument("-o", metavar="DIR", type=Path, help="draw each figure into DIR")
    folder = parser.parse_args().o
    figures = [*figure_1(), *figure_5()]
    if folder is None:
        write(sys.stdout, ("figure", *COLUMNS),
              [(name, *row) for name, rows in figures for row in rows])
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in figures:
        draw(folder, name, rows)


if __name__ == "__main__":
    main()
