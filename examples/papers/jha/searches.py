# SPDX-License-Identifier: BSD-3-Clause
"""Repeats the comparison of OTPO's searches in S. Jha's dissertation (section 6.1).

Brute force, the attribute-based search and the 2^k factorial design, on the two spaces of Table 3.1
with twelve workloads each, and on one where four parameters have an effect. By section 6.1, the
factorial search takes significantly less time than the others in all scenarios, and its results are
identical to the exhaustive search's or very close. The exit code is 1 if it ends more than 5 %
above the best on a space of Table 3.1.
"""
import argparse
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from common import print_note, print_rows, sim  # noqa: E402

TUNING = HERE.parent.parent / "tuning"
STUDIES = {"openib": "table-3.1-openib.toml", "sm": "table-3.1-sm.toml",
           "broadcast": "broadcast.toml"}
SEARCHES = ("brute-force", "attribute", "factorial")
CLOSE = 0.05  # an end this close to the best counts as very close


def command(space):
    return f"sim tune {STUDIES[space]} --each"


def workloads_of(space):
    """By workload, the row of each search."""
    report = sim("tune", TUNING / STUDIES[space], "--each", "--method", ",".join(SEARCHES))
    workloads = {}
    for row in report["points"]:
        workloads.setdefault(row["objective"], {})[row["search"]] = row
    return workloads


def summary(space):
    """Sums over the workloads of a space."""
    workloads = workloads_of(space).values()
    evaluations = {search: sum(rows[search]["evaluations"] for rows in workloads)
                   for search in SEARCHES}
    return {"space": space, "workloads": len(workloads),
            "combinations": max(rows["brute-force"]["combinations"] for rows in workloads),
            "evaluations": evaluations, "cheapest": min(evaluations, key=evaluations.get),
            "factorial_is_cheapest": sum(
                all(rows["factorial"]["evaluations"] < rows[other]["evaluations"]
                    for other in SEARCHES if other != "factorial") for rows in workloads),
            "above_best": {search: max(rows[search]["above_best"] for rows in workloads)
                           for search in SEARCHES}}


def is_close(row):
    return row["above_best"]["factorial"] <= CLOSE


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--json", metavar="FILE", help="also write the sums to FILE")
    chosen = parser.parse_args()
    rows = [summary(space) for space in STUDIES]
    print("# Evaluations of all workloads, and how far the worst one ends above the best")
    print_rows(["Space", "Workloads", "Search", "Evaluations", "Above best (%)"],
               [[row["space"], row["workloads"], search, row["evaluations"][search],
                 f"{100 * row['above_best'][search]:.1f}"]
                for row in rows for search in SEARCHES], left=1)
    for row in rows:
        print_note(f"{row['space']}: {row['cheapest']} is cheapest; factorial is for "
                   f"{row['factorial_is_cheapest']} of {row['workloads']} workloads")
    if chosen.json:
        Path(chosen.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")
    far = [row["space"] for row in rows if not is_close(row) and row["space"] != "broadcast"]
    if far:
        sys.exit(f"factorial ends more than {100 * CLOSE:.0f} % above the best: {', '.join(far)}")


if __name__ == "__main__":
    main()
