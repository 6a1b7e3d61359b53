# SPDX-License-Identifier: BSD-3-Clause
"""Repeats chapter 4 of S. Jha's dissertation: how much collectives gain from faster messages.

On crill, eager limits are compared by ping-pong; the gain of a message is expected to come from one
parameter only: l or b of Hockney's model, o or G of LogGP. The collectives' gains that follow are
compared with simulated ones. Messages inside a node use the network, as in the dissertation. An
improvement is (before - after) / before. The exit code is 1 if a statement below is false.
"""
import argparse
import csv
import json
import math
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from common import (formula, loggp_set, options, print_rows, read_csv, read_toml,  # noqa: E402
                    sim, size_text)

CRILL = {"mpi/intra_node": "network"}
NODES = 16
LIMITS = ("1536B", "3KiB", "6KiB", "12KiB", "24KiB", "48KiB")  # Table 3.1
SIZES = (128, 1 << 10, 12 << 10, 16 << 10, 32 << 10, 64 << 10)
MAPS = ("block", "round-robin")
LETTERS = {"l": "hockney", "b": "hockney", "o": "loggp", "G": "loggp"}
KEYS = {"l": "model/hockney/latency", "b": "model/hockney/bandwidth",
        "o": "model/loggp/collective/o", "G": "model/loggp/collective/G"}
ROUNDING = 1e-9
TABLE_4_2 = read_toml(HERE / "table4_2.toml")["rows"]
for each in TABLE_4_2:  # Open MPI's chain has several chains; the printed algorithm is its pipeline
    each["name"] = "pipeline" if each["algorithm"] == "chain" else each["algorithm"]
ALGORITHMS = {}
for each in TABLE_4_2:
    ALGORITHMS.setdefault(each["collective"], {})[each["name"]] = None


def improvement(before, after):
    return (before - after) / before


def run(collective, *words, **settings):
    """Points of a collective on crill with other parameters (with / for __ in names)."""
    changed = {key.replace("__", "/"): value for key, value in settings.items()}
    return sim("run", collective, "-p", "crill", *options({**CRILL, **changed}), *words)["points"]


def listed(values):
    return ",".join(map(str, values))


# ---- messages ----


class Messages:
    """Ping-pong times before and after each change, by size."""

    def __init__(self):
        def measure(**settings):
            return {point["message_bytes"]: point["time_s"]
                    for point in run("pingpong", "--message-size", listed(SIZES), **settings)}
        self.untuned = measure()
        self.changed = {limit: measure(mpi__eager_limit=limit) for limit in LIMITS}

    def best(self, size):
        """The changes with the least time, and those within 0.1 % of it."""
        least = min(times[size] for times in self.changed.values())
        return [limit for limit in LIMITS if self.changed[limit][size] <= least * (1 + 1e-3)]

    def tuned(self, size):
        return self.changed[self.best(size)[0]][size]

    def gain(self, size):
        return improvement(self.untuned[size], self.tuned(size))

    def best_text(self, size):
        best = self.best(size)
        return "any" if len(best) == len(LIMITS) else ", ".join(best)


# ---- models ----


class Models:
    """The parameters of crill and the times that the program's formulas give with others."""

    def __init__(self):
        machine = sim("platform", "show", "crill")
        loggp = loggp_set(machine, "collective")
        self.p = {"l": machine["hockney"]["l_s"], "b": machine["hockney"]["b_Bps"],
                  "L": loggp["L_s"], "o": loggp["o_s"], "G": loggp["G_s_per_B"]}
        self.known = {}

    def tuned_value(self, letter, size, gain):
        """Equations 4.13, 4.14, 4.18, 4.17; None if the parameter cannot cause this gain."""
        p = self.p
        if gain == 0:
            return p[letter]
        hockney_s = p["l"] + size / p["b"]
        loggp_s = p["L"] + 2 * p["o"] + (size - 1) * p["G"]
        if letter == "b":
            rest = size / p["b"] - gain * hockney_s
            return size / rest if rest > 0 else None
        value = {"l": p["l"] - gain * hockney_s, "o": p["o"] - gain * loggp_s / 2,
                 "G": p["G"] - gain * loggp_s / (size - 1)}[letter]
        return value if value >= 0 else None

    def times(self, collective, letter, value):
        """By algorithm, procs, size; of all calls with one parameter changed (None: none)."""
        key = collective, letter, value
        if key not in self.known:
            settings = {}
            if value is not None:
                settings[KEYS[letter]] = f"{value!r}{'Bps' if letter == 'b' else 's'}"
            self.known[key] = {
                (point["algorithm"], point["procs"], point["message_bytes"]): point
                for point in run(collective, "-n", "32,64", "--algorithm",
                                 listed(ALGORITHMS[collective]), "--message-size", listed(SIZES),
                                 "--model-only", **settings)}
        return self.known[key]

    def g(self, size):
        """From the cost of the linear alltoall, L + 2 o + (m - 1) G + 2 (P - 1) g."""
        time_s = self.times("alltoall", "o", None)["linear", 32, size]["model_loggp_s"]
        p = self.p
        return (time_s - p["L"] - 2 * p["o"] - (size - 1) * p["G"]) / (2 * 31)

    def expected(self, call, letter, gain):
        """Times of a call before and after, or None."""
        value = self.tuned_value(letter, call["message_bytes"], gain)
        if value is None:
            return None
        key = call["algorithm"], call["procs"], call["message_bytes"]
        column = f"model_{LETTERS[letter]}_s"
        before = self.times(call["collective"], letter, None)[key][column]
        if value == self.p[letter]:
            return before, before
        return before, self.times(call["collective"], letter, value)[key][column]


# ---- simulations ----


def simulate(messages, jobs):
    """Calls with their times before the changes, and after those that are best for messages. A job:
    collective, algorithms, sizes, procs, ppn, map, changes (None: the best)."""
    def of_job(job):
        collective, algorithms, sizes, procs, ppn, how, changes = job
        place = ("-n", procs, "--ppn", ppn, "--map", how)
        words = ("--algorithm", listed(algorithms), "--engine", "flow", "--exact-start", *place)
        points = run(collective, *words, "--message-size", listed(sizes))
        calls = {(point["algorithm"], point["message_bytes"]): point for point in points}
        for point in points:
            point["tuned_s"] = {}
        for limit in LIMITS:
            wanted = [size for size in sizes if limit in (changes or messages.best(size))]
            if wanted:
                for point in run(collective, *words, "--message-size", listed(wanted),
                                 mpi__eager_limit=limit):
                    key = point["algorithm"], point["message_bytes"]
                    calls[key]["tuned_s"][limit] = point["time_s"]
        return points
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return sum(pool.map(of_job, jobs), [])


def all_calls(messages):
    """The collectives of Figures 4.1 to 4.12."""
    return simulate(messages, [
        (collective, algorithms, SIZES, procs, math.ceil(procs / NODES), how, None)
        for collective, algorithms in ALGORITHMS.items() for procs in (32, 64) for how in MAPS])


def placements(procs, ppns):
    """Equal placements, on one node, count once."""
    for ppn in ppns:
        if procs <= ppn * NODES:
            for how in MAPS if procs > ppn else MAPS[:1]:
                yield procs, ppn, how


# ---- tables ----


def points_table(messages, models, calls):
    """A row for each call and source of its improvement."""
    for call in calls:
        size = call["message_bytes"]
        named = {key: call[key] for key in ("collective", "algorithm", "procs", "nodes", "ppn",
                                            "map", "message_bytes")}
        best = min(call["tuned_s"], key=call["tuned_s"].get)
        sources = {"netpipe": (messages.untuned[size], messages.tuned(size)),
                   "simulated": (call["time_s"], call["tuned_s"][best])}
        for letter, model in LETTERS.items():
            sources[f"{model}({letter})"] = models.expected(call, letter, messages.gain(size))
        for source, times in sources.items():
            gain = improvement(*times) if times else None
            row = {**named, "source": source, "improvement": gain,
                   "untuned_s": times and times[0], "tuned_s": times and times[1],
                   "worst_improvement": None, "gain_ratio": None, "tuned_parameter": None,
                   "best_change": ""}
            if gain is not None and messages.gain(size):
                row["gain_ratio"] = gain / messages.gain(size)
            if source == "simulated":
                row["worst_improvement"] = improvement(call["time_s"],
                                                       max(call["tuned_s"].values()))
                row["best_change"] = best
            elif source == "netpipe":
                row["best_change"] = messages.best_text(size)
            else:
                row["tuned_parameter"] = models.tuned_value(source[-2], size, messages.gain(size))
            yield row


def parameters_table(messages, models):
    """The gain of messages of each size, and the parameters that would cause it."""
    for size in SIZES:
        tuned = {letter: models.tuned_value(letter, size, messages.gain(size))
                 for letter in LETTERS}
        yield {"message_bytes": size, "untuned_s": messages.untuned[size],
               "tuned_s": messages.tuned(size), "improvement": messages.gain(size),
               "best_change": messages.best_text(size),
               **{f"{letter}_tuned": value for letter, value in tuned.items()},
               **{f"{letter}_ratio": value and value / models.p[letter]
                  for letter, value in tuned.items()}}


def errors_table(points):
    """Mean squared errors over the sizes, of all models over the same ones (section 4.1.5); nothing
    is compared if all expect 0. Skill: 1 - MSE / MSE of expecting no gain (A. H. Murphy, Monthly
    Weather Review 116, 1988). least: by changes that are equally good for messages."""
    groups = {}
    for row in points:
        key = tuple(row[name] for name in ("collective", "algorithm", "procs", "ppn", "map"))
        groups.setdefault(key, {}).setdefault(row["message_bytes"], {})[row["source"]] = row
    for key, sizes in groups.items():
        seen = {size: rows["simulated"]["improvement"] for size, rows in sizes.items()}
        expected = {letter: {size: rows[f"{model}({letter})"]["improvement"]
                             for size, rows in sizes.items()} for letter, model in LETTERS.items()}

        def mean_square(differences):
            mean = sum(each * each for each in differences) / len(differences)
            return 0 if mean < ROUNDING ** 2 else mean
        compared = [size for size in sizes
                    if any(each[size] is not None for each in expected.values())]
        is_compared = any(abs(each[size] or 0) > ROUNDING
                          for each in expected.values() for size in compared)
        mse = {letter: mean_square([each[size] - seen[size] for size in compared])
               if is_compared and all(each[size] is not None for size in compared) else None
               for letter, each in expected.items()}
        row = dict(zip(("collective", "algorithm", "procs", "ppn", "map"), key))
        row["sizes"] = len(compared) if is_compared else 0
        row.update({f"{LETTERS[letter]}_{letter}_mse": value for letter, value in mse.items()})
        known = {letter: value for letter, value in mse.items() if value is not None}
        row["best_mse"] = min(known.values(), default=None)
        row["null_mse"] = mean_square([seen[size] for size in compared])
        names = [each for each in known if known[each] - row["best_mse"] <= ROUNDING]
        row["best_model"] = "all" if len(names) == len(LETTERS) else ",".join(names)
        row["best_skill"] = (1 - row["best_mse"] / row["null_mse"]
                             if known and row["null_mse"] else None)
        peak, at = None, None
        for size in sizes:
            if peak is None or seen[size] > peak + ROUNDING:
                peak, at = seen[size], size
        row["peak_improvement"], row["peak_bytes"] = peak, at if peak > ROUNDING else None
        row["least_improvement"] = min(rows["simulated"]["worst_improvement"]
                                       for rows in sizes.values())
        yield row


def signs_table(models, calls):
    """Table 4.2: the collective's gain divided by the message's, for very small gains. as_table:
    the printed closed form, with its errata corrected, gives the same."""
    small = 1e-6
    for row in TABLE_4_2:
        letter, ratios, as_table = row["affected"], [], True
        closed = formula(row.get("right", row["ratio"]))
        unique = {(call["procs"], call["message_bytes"]): call for call in calls
                  if (call["collective"], call["algorithm"]) == (row["collective"], row["name"])}
        for (procs, size), call in unique.items():
            ratio = improvement(*models.expected(call, letter, small)) / small
            ratios.append(ratio)
            value = closed({**models.p, "P": procs, "m": size, "g": models.g(size)})
            as_table = as_table and abs(value - ratio) < 1e-6 * ratio
        yield {"collective": row["collective"], "algorithm": row["name"],
               "printed_as": row["algorithm"], "model": f"{LETTERS[letter]}({letter})",
               "printed_sign": row["sign"], "true_sign": row["true_sign"],
               "least_ratio": min(ratios), "greatest_ratio": max(ratios), "as_table": as_table}


def table_3_2(messages):
    """Alltoall of 16 KiB; the dissertation does not give the placement."""
    size, rows = 16 << 10, read_csv(HERE / "table3_2.csv")
    names = {"bruck": "modified_bruck"}
    jobs = [("alltoall", ("linear", "pairwise", "modified_bruck"), (size,), *place, None)
            for procs in (32, 128) for place in placements(procs, (48, procs // NODES))]
    calls = simulate(messages, jobs)
    for row in rows:
        name = names.get(row["algorithm"], row["algorithm"])
        before, after = (float(row[key]) * 1e-3 for key in ("default_ms", "tuned_ms"))
        for call in calls:
            if (call["algorithm"], call["procs"]) == (name, int(row["procs"])):
                tuned_s = min(call["tuned_s"].values())
                yield {"algorithm": name, "procs": call["procs"], "map": call["map"],
                       "nodes": call["nodes"], "ppn": call["ppn"], "measured_untuned_s": before,
                       "measured_tuned_s": after,
                       "measured_improvement": improvement(before, after),
                       "untuned_s": call["time_s"], "tuned_s": tuned_s,
                       "improvement": improvement(call["time_s"], tuned_s)}


def table_4_4(messages):
    """Broadcasts of 64 KiB by binary tree with eager limits of 12 and 48 KiB."""
    printed = {int(row["procs"]): [float(row[key]) * 1e-6 for key in
                                   ("eager_12k_us", "eager_48k_us")]
               for row in read_csv(HERE / "table4_4.csv") if row["operation"] == "bcast_binary"}
    jobs = [("bcast", ("binary_tree",), (64 << 10,), *place, ("48KiB",))
            for procs in printed for place in placements(procs, (48, 16, 8, 4, 2))]
    for call in simulate(messages, jobs):
        before, after = printed[call["procs"]]
        times = {"time_s": call["time_s"], "model_hockney_s": call["model_hockney_s"],
                 "model_loggp_s": call["model_loggp_s"]}
        errors = [(time_s - before) / before for time_s in times.values()]
        tuned_s = call["tuned_s"]["48KiB"]
        yield {"procs": call["procs"], "map": call["map"], "nodes": call["nodes"],
               "ppn": call["ppn"], "measured_s": before, **times, "relative_error": errors[0],
               "hockney_error": errors[1], "loggp_error": errors[2],
               "closer": abs(errors[0]) < min(map(abs, errors[1:])), "measured_tuned_s": after,
               "tuned_s": tuned_s, "measured_improvement": improvement(before, after),
               "improvement": improvement(call["time_s"], tuned_s)}


# ---- the report ----


def text(value, scale=1, digits=2, sign=""):
    return "-" if value is None else f"{scale * value:{sign}.{digits}f}"


def gain_text(value):
    return text(value, 100, 1, "+")


def print_tables(tables):
    print("# Gains of messages, in us, and parameters that would cause them (4.13 to 4.18)")
    print_rows(["Size", "Before", "After", "Gain (%)", "l*/l", "b*/b", "o*/o", "G*/G", "By"],
               [[size_text(row["message_bytes"]), text(row["untuned_s"], 1e6),
                 text(row["tuned_s"], 1e6), gain_text(row["improvement"]),
                 *(text(row[f"{letter}_ratio"]) for letter in LETTERS), row["best_change"]]
                for row in tables["parameters"]])
    print("\n# Mean squared errors of the expected improvements (section 4.1.5)")
    print("# Gain, Least: the largest simulated one, and the smallest by equal changes")
    settings = {(row["procs"], row["map"]): None for row in tables["errors"]}
    for procs, how in settings:
        print(f"# {procs} processes, {how}:")
        print_rows(["Algorithm", "l", "b", "o", "G", "Best", "Skill", "Gain", "Least"],
                   [[row["algorithm"], *(text(row[f"{model}_{letter}_mse"], digits=4)
                                         for letter, model in LETTERS.items()),
                     row["best_model"], text(row["best_skill"]),
                     gain_text(row["peak_improvement"]), gain_text(row["least_improvement"])]
                    for row in tables["errors"] if (row["procs"], row["map"]) == (procs, how)])
    print("\n# Table 4.2: the collective's gain divided by the message's, for all calls here")
    print_rows(["Algorithm", "Model", "Printed", "True", "Least", "Greatest", "Formula"],
               [[row["algorithm"], row["model"], row["printed_sign"], row["true_sign"],
                 f"{row['least_ratio']:.4g}", f"{row['greatest_ratio']:.4g}",
                 "equal" if row["as_table"] else "L+o < g"] for row in tables["signs"]], left=2)
    print("\n# Table 3.2: alltoall of 16 KiB, in ms; simulated with several placements")
    print_rows(["Algorithm", "Procs", "Placement", "ppn", "Measured", "Gain (%)", "Simulated",
                "Gain (%)"],
               [[row["algorithm"], row["procs"], row["map"], row["ppn"],
                 text(row["measured_untuned_s"], 1e3), gain_text(row["measured_improvement"]),
                 text(row["untuned_s"], 1e3, 3), gain_text(row["improvement"])]
                for row in tables["table_3_2"]])
    print("\n# Table 4.4: broadcast of 64 KiB by binary tree, eager limit 12 KiB")
    print_rows(["Procs", "Placement", "ppn", "Measured", "Sim. (us)", "Error (%)",
                "Hockney", "LogGP", "Closer"],
               [[row["procs"], row["map"], row["ppn"], text(row["measured_s"], 1e6),
                 text(row["time_s"], 1e6), *(gain_text(row[f"{of}_error"])
                                             for of in ("relative", "hockney", "loggp")),
                 "yes" if row["closer"] else "no"] for row in tables["table_4_4"]])


def check_statements(tables):
    """Expected results, most of them statements of the dissertation."""
    errors = tables["errors"]
    gaining = [row["message_bytes"] for row in tables["parameters"] if row["improvement"] > 0.01]
    yield "messages gain at 16 and 32 KiB only", gaining == [16 << 10, 32 << 10]
    yield ("MSE of at most .011 for all nine algorithms at 64 processes (4.1.5)",
           all(row["best_mse"] <= 0.011 for row in errors if row["procs"] == 64))
    yield ("recursive doubling and neighbor exchange follow l and o (4.1.5)",
           all(max(row["hockney_l_mse"], row["loggp_o_mse"])
               < min(row["hockney_b_mse"], row["loggp_G_mse"]) for row in errors
               if row["algorithm"] in ("recursive_doubling", "neighbor")))
    yield ("Bruck's gains most at 1 KiB (4.1.7)",
           all(row["peak_bytes"] == 1024 for row in errors if row["algorithm"] == "modified_bruck"))
    yield ("Table 4.2 follows from the costs where it does not need L + o > g",
           all(row["as_table"] for row, printed in zip(tables["signs"], TABLE_4_2)
               if "where" not in printed))
    yield ("blocks of 4 per node are closer to Table 4.4 than the formulas",
           all(row["closer"] for row in tables["table_4_4"]
               if (row["map"], row["ppn"]) == ("block", 4)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--json", metavar="FILE", help="also write all tables to FILE")
    parser.add_argument("--csv", metavar="FILE", help="also write the improvement of each call")
    chosen = parser.parse_args()
    messages, models = Messages(), Models()
    calls = all_calls(messages)
    points = list(points_table(messages, models, calls))
    tables = {"points": points, "parameters": list(parameters_table(messages, models)),
              "errors": list(errors_table(points)), "signs": list(signs_table(models, calls)),
              "table_3_2": list(table_3_2(messages)), "table_4_4": list(table_4_4(messages))}
    print_tables(tables)
    if chosen.json:
        Path(chosen.json).write_text(json.dumps(tables, indent=1), encoding="utf-8")
    if chosen.csv:
        with open(chosen.csv, "w", encoding="utf-8", newline="") as out:
            columns = ("collective", "algorithm", "procs", "ppn", "map", "message_bytes", "source",
                       "improvement")
            writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            writer.writerows(points)
    print("\n# Expected")
    statements = list(check_statements(tables))
    print_rows(["Statement", "Verdict"],
               [[each, "true" if is_true else "FALSE"] for each, is_true in statements])
    sys.exit(not all(is_true for _, is_true in statements))


if __name__ == "__main__":
    main()
