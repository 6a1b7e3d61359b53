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
from common import (Value, as_printed, check_machines, main, part, printed,  # noqa: E402
                    read_csv, rounds_to, sim, verdict)

MACHINES = ("tachyon1", "tachyon2")
ORDERS = ("intra-first", "inter-first")
CYCLES = 8
PREDICT = "sim fireworks predict"
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
    their points; the other rows are checked against them."""

    def __init__(self, column, loads):
        rows = [(load, float(row[column]), row["test"]) for load, row in zip(loads, ROWS)
                if row[column]]
        (self.start, self.start_s, first), *others = rows
        self.end, self.end_s, second = next(each for each in others if each[0][0] != self.start[0])
        self.tests = (first, second)

    def at(self, load):
        steps = (load[0] - self.start[0]) / (self.end[0] - self.start[0])
        if load[1] - self.start[1] != steps * (self.end[1] - self.start[1]):
            return None
        return self.start_s + steps * (self.end_s - self.start_s)


def check_time(row, column, line, load):
    """A time that does not determine the line; None for the two that do."""
    if row["test"] in line.tests:
        return None
    item, time_s = f"{row['test']}: {column}", line.at(load)
    number = printed(item, row[column])
    ours = "" if time_s is None else as_printed(time_s, "0.0000000")
    if not number:
        return Value(item, "", ours, PREDICT, "not recomputable",
                     "illegible in print; the value lies on the line of the others")
    return Value(item, number, ours, PREDICT,
                 verdict(time_s is not None and rounds_to(time_s, number)))


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
        item = f"{row['test']}: match"
        number = printed(item, row["match"])
        yield Value(item, f"{number} of 32", f"{match['match']} of {match['pairs']}", PREDICT,
                    verdict(int(number) == match["match"]))
    for column in found:
        line = Line(column, loads)
        for row, load in zip(ROWS, loads):
            value = check_time(row, column, line, load)
            if value:
                yield value
    for column, (form, report) in found.items():
        for row, ours in zip(ROWS, part(report, "node-sets")):
            if row[column]:
                yield Value(f"{row['test']}: {column}, simulated", row[column],
                            f"{ours['expected_s'] / CYCLES:.6f}", PREDICT, "not recomputable",
                            "measured on the real machine; the computed value is predicted for "
                            f"the simulated one by the cost function {form}")


if __name__ == "__main__":
    main(__doc__, [("I", "machines", lambda: check_machines("cfireworks")),
                   ("II", "exchanges and Figure 5", times)],
         {"I": (0, 0, 0, 0), "II": (11, 0, 0, 16)})
