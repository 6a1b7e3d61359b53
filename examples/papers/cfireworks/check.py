# SPDX-License-Identifier: BSD-3-Clause
"""Recomputes tables of the cFireworks paper (K. Cha).

cFireworks: a Tool for Measuring the Communication Costs in Collective I/O. 16 processes write 4 x 4
tiles of a file with eight file domains. The hot-spot node, with the most messages between nodes,
determines the time of a cycle.
"""
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from common import (Value, as_printed, check_machines, main, part, read_csv,  # noqa: E402
                    rounds_to, sim, verdict)

MACHINES = ("tachyon1", "tachyon2")
ORDERS = ("intra-first", "inter-first")
CYCLES = 8
ROWS = read_csv(HERE / "table2.csv")


def column_of(machine, order):
    return f"{machine}_{order.replace('-', '_')}"


def best_form(costs):
    """The form with the smallest residual; a simpler one unless that is 10 % larger."""
    best = None
    for row in part(costs, "forms"):
        if row["rms_s"] is None or row["form"] == "links":
            continue
        if best is None or row["rms_s"] < 0.9 * best["rms_s"]:
            best = row
    return best["form"]


def predict(machine, order, file):
    """The name of the cost function, and the predictions for the four node sets."""
    form = best_form(sim("fireworks", "measure", "--platform", machine, "--order", order,
                         "--costs", file))
    sets = [word for row in ROWS for word in ("--node-set", row["node_set"].replace("-", ","))]
    return form, sim("fireworks", "predict", "--costs", file, "--form", form, "--orders", 0, *sets)


class Line:
    """A time is alpha * inside + beta * between + gamma. Two rows determine it on the line through
    their points: alpha - 2 beta and gamma + 12 beta."""

    def __init__(self, column, loads):
        rows = [(load, float(row[column])) for load, row in zip(loads, ROWS) if row[column]]
        (self.start, self.start_s), *others = rows
        self.end, self.end_s = next(each for each in others if each[0][0] != self.start[0])
        self.slope = (self.end_s - self.start_s) / (self.end[0] - self.start[0])
        self.at_0 = self.start_s - self.slope * self.start[0]

    def at(self, load):
        steps = (load[0] - self.start[0]) / (self.end[0] - self.start[0])
        if load[1] - self.start[1] != steps * (self.end[1] - self.start[1]):
            return None
        return self.start_s + steps * (self.end_s - self.start_s)


def check_time(row, column, line, load):
    printed, time_s = row[column], line.at(load)
    points = [f"({each[0]:g}, {each[1]:g})" for each in (line.start, line.end)]
    value = Value(f"{row['test']}: {column}", printed,
                  "" if time_s is None else as_printed(time_s, "0.0000000"),
                  why=f"on the line from {points[0]} to {points[1]}")
    if not printed:
        value.verdict, value.why = "erratum", "illegible in print; " + value.why
    elif time_s is None or not rounds_to(time_s, printed):
        value.verdict, value.why = "differs", ""
    return value


def times():
    with tempfile.TemporaryDirectory() as folder:
        found = {column_of(machine, order): predict(machine, order, f"{folder}/{machine}-{order}")
                 for machine in MACHINES for order in ORDERS}
    report = next(iter(found.values()))[1]
    matches = part(report, "node-sets")
    loads = []
    for row, match in zip(ROWS, matches):
        nodes = [(each["intra_messages"], each["in_messages"] + each["out_messages"])
                 for each in part(report, "nodes") if each["node_set"] == match["node_set"]]
        loads.append(max(nodes, key=lambda load: load[::-1]))
        yield Value(f"{row['test']}: match", f"{row['match']} of 32",
                    f"{match['match']} of {match['pairs']}",
                    verdict(int(row["match"]) == match["match"]))
        yield Value(f"{row['test']}: hot-spot node, messages inside and between nodes", "",
                    f"{loads[-1][0]:g}, {loads[-1][1]:g}", why="not printed")
    for column in found:
        line = Line(column, loads)
        for row, load in zip(ROWS, loads):
            yield check_time(row, column, line, load)
        yield Value(f"{column}: alpha - 2 beta, gamma + 12 beta", "",
                    f"{line.slope:.5f} s, {line.at_0:.5f} s",
                    why="not printed; all points lie on one line, so the three coefficients cannot "
                    "be separated")
    for column, (form, report) in found.items():
        for row, ours in zip(ROWS, part(report, "node-sets")):
            yield Value(f"{row['test']}: {column}, simulated", row[column],
                        f"{ours['expected_s'] / CYCLES:.6f}", "not recomputable",
                        f"predicted for the simulated machine by the cost function {form}")


if __name__ == "__main__":
    main(__doc__, [("I", "machines", lambda: check_machines("cfireworks")),
                   ("II", "exchanges and Figure 5", times)],
         (33, 0, 1, 0, 16))
