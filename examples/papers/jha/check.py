# SPDX-License-Identifier: BSD-3-Clause
"""Recomputes tables of S. Jha's dissertation (University of Houston, 2017).

Performance Tuning and Modeling of Communication in Parallel Applications. improvement.py and
io_cases.py repeat the experiments of chapters 4 and 5.
"""
import math
import sys
from dataclasses import dataclass, replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from common import (Value, as_printed, check_machines, formula, half_digit, loggp_set,  # noqa: E402
                    main, options, read_csv, read_toml, rounds_to, sim, size_text, verdict)

# ---- Table 3.1 ----


def in_bytes(text):
    return int(float(text.rstrip("K")) * (1024 if text.endswith("K") else 1))


def values_of(text):
    """The values of a range, START:END:*FACTOR or a list."""
    if "," in text:
        return [in_bytes(each) for each in text.split(",")]
    start, end, factor = text.split(":")
    values = [in_bytes(start)]
    while values[-1] < in_bytes(end):
        values.append(values[-1] * int(factor[1:]))
    return values


def check_range(row):
    """The range must contain the default value, from which the parameter was tuned."""
    printed, right, note = row["range"], row.get("right", ""), row.get("note", "")
    standard = in_bytes(row["standard"])
    if standard in values_of(printed):
        return Value(row["name"], printed, f"{len(values_of(right or printed))} values", why=note)
    return Value(row["name"], printed, right,
                 verdict(right and standard in values_of(right), "erratum"),
                 f"{note}; the default value, {row['standard']}, is not in {printed}, but in "
                 f"{right}")


def tuned_parameters():
    rows = read_toml(HERE / "table3_1.toml")["parameter"]
    yield from map(check_range, rows)
    for group in ("openib", "sm"):
        counts = [len(values_of(row.get("right", row["range"]))) for row in rows
                  if row["group"] == group]
        for what, count in (("combinations", math.prod(counts)), ("corners", 2 ** len(counts)),
                            ("values, one after the other", sum(counts))):
            yield Value(f"{group}: {what}", "", str(count), why="not printed")
    yield from check_machines("jha")


# ---- Tables 3.2 and 4.4 ----


def check_gain(item, before, after, printed):
    """The reduction in percent; all three numbers are printed with few digits."""
    def gain(old, new):
        return 100 * (old - new) / old
    b, a, number = float(before), float(after), float(printed)
    value = Value(item, printed + " %", as_printed(gain(b, a), printed) + " %")
    if rounds_to(gain(b, a), printed):
        return value
    least = gain(b - half_digit(before), a + half_digit(after))
    most = gain(b + half_digit(before), a - half_digit(after))
    value.why = f"the rounded times {before} and {after} allow {least:.2f} to {most:.2f} %"
    if number + half_digit(printed) < least or number - half_digit(printed) > most:
        value.verdict = "differs"
        value.why += ("; each time is the mean of two to four runs, so the gain may be the mean of "
                      "their gains")
    return value


def alltoall_gains():
    for row in read_csv(HERE / "table3_2.csv"):
        yield check_gain(f"{row['algorithm']}, {row['procs']} processes", row["default_ms"],
                         row["tuned_ms"], row["gain_percent"])


def eager_limits():
    for row in read_csv(HERE / "table4_4.csv"):
        yield check_gain(f"{row['operation']}, {row['procs']} processes", row["eager_12k_us"],
                         row["eager_48k_us"], row["improvement_percent"])


# ---- Tables 4.1 and 4.2: formulas, evaluated for many jobs and networks ----


@dataclass(frozen=True)
class Point:
    """Parameters of both models, in s, B/s and s/B."""
    network: str  # empty: one of the grid
    l: float
    b: float
    L: float
    o: float
    g: float
    G: float
    P: int = 0
    m: int = 0

    def text(self):
        of = self.network or f"L = {self.L}, o = {self.o}, g = {self.g}, G = {self.G} per byte"
        return f"{of}, P = {self.P}, {size_text(self.m)}"

    def is_overlapped(self):
        return self.L + self.o > self.g


# The networks of Tables 4.3 (with both of its gaps) and 5.2, with crill's Hockney parameters, and
# a grid of others with L + o above and below g and latencies and bandwidths of three orders of
# magnitude.
US = 1e-6
NETWORKS = [Point(name, 1.6 * US, 1.9415e9, L * US, o * US, g * US, G * US)
            for name, L, o, g, G in (("crill", 1.84, 1.49, 1.08, 0.00067),
                                     ("crill, g of 32 KB", 1.84, 1.49, 11.9, 0.00067),
                                     ("opuntia", 6.04, 25.88, 7.40, 0.00351),
                                     ("crill-GE", 32.96, 139.7, 297, 0.07991))]
NETWORKS += [Point("", L * US, 1 / (G * US), L * US, o * US, g * US, G * US)
             for L in (0.3, 3.0, 30.0) for o in (0.3, 3.0, 30.0) for g in (0.4, 4.0, 40.0)
             for G in (0.00002, 0.002, 0.2)]
SIZES = (1, 2, 128, 8 << 10, 1 << 20, 16 << 20)


def procs_of(algorithm):
    """Numbers of processes at which the algorithm needs no extra steps."""
    return [each for each in (4, 5, 6, 8, 9, 32, 33, 64, 1024)
            if (each & (each - 1) == 0 if algorithm == "recursive_doubling"
                else each % 2 == 0 or algorithm != "neighbor")]


def grid(algorithm, least_bytes):
    return [replace(network, P=procs, m=size) for network in NETWORKS
            for procs in procs_of(algorithm) for size in SIZES if size >= least_bytes]


def fit(text, points, wanted):
    """How many points agree, and the first one that does not."""
    compute = formula(text)
    values = [compute(vars(point)) for point in points]
    others = [i for i, (ours, right) in enumerate(zip(values, wanted))
              if abs(ours - right) > 1e-8 * abs(right)]
    first = others and (f"{points[others[0]].text()}: {values[others[0]]:.4g}, not "
                        f"{wanted[others[0]]:.4g}")
    return len(points) - len(others), first


def compare(item, row, column, points, wanted):
    """A printed formula, and its correction if there is one, with the wanted values."""
    printed, right, note = row[column], row.get("right", ""), row.get("note", "")
    equal, first = fit(printed, points, wanted)
    if not first:
        return Value(item, printed, printed,
                     why=note if column == "formula" and not right else "")
    if not right:
        return Value(item, printed, "", "differs")
    corrected, other = fit(right, points, wanted)
    return Value(item, printed, right, verdict(not other, "erratum"),
                 f"{note}; as printed, {equal} of {len(points)} points agree ({first}); with the "
                 f"correction, {corrected} agree")


COSTS = read_toml(HERE / "table4_1.toml")["cost"]


def our_costs():
    """The times of the program's formulas, by algorithm, model and point."""
    names = {}
    for row in COSTS:
        names.setdefault(row["collective"], {})[row["algorithm"]] = None
    costs = {}
    for network in NETWORKS:
        settings = {"model/hockney/latency": f"{network.l!r}s",
                    "model/hockney/bandwidth": f"{network.b!r}Bps"}
        for letter in "LogG":
            settings[f"model/loggp/collective/{letter}"] = f"{getattr(network, letter)!r}s"
        for collective, algorithms in names.items():
            for name in algorithms:
                fanout = ("--fanout", 1) if name == "chain" else ()
                report = sim("run", collective, "-p", "crill", "--oversubscribe", "--model-only",
                             "-n", ",".join(map(str, procs_of(name))), "--algorithm", name,
                             "--message-size", ",".join(map(str, SIZES)), *fanout,
                             *options(settings))
                for point in report["points"]:
                    key = replace(network, P=point["procs"], m=point["message_bytes"])
                    for model in ("hockney", "loggp"):
                        costs[name, model, key] = point[f"model_{model}_s"]
    return costs


def item_of(row):
    return f"{row['collective']} {row['algorithm']}, {row['model']}"


def check_costs():
    costs = our_costs()
    for row in COSTS:
        points = grid(row["algorithm"], 1)
        yield compare(item_of(row), row, "formula", points,
                      [costs[row["algorithm"], row["model"], point] for point in points])


SMALL = 0.01  # the improvement of a message


def tuned(point, parameter, i=SMALL):
    """One parameter reduces the time of a message by the fraction `i`: equations 4.13, 4.14, 4.17
    and 4.18."""
    hockney_s = point.l + point.m / point.b
    loggp_s = point.L + 2 * point.o + (point.m - 1) * point.G
    if parameter == "l":
        return replace(point, l=point.l - i * hockney_s)
    if parameter == "b":
        return replace(point, b=point.m / (point.m / point.b - i * hockney_s))
    if parameter == "o":
        return replace(point, o=point.o - i / 2 * loggp_s)
    return replace(point, G=point.G - i * loggp_s / (point.m - 1))


def check_sign(item, printed, points, ratios):
    """The last column of the table; a blank means that all three signs are possible."""
    found = sorted({"=" if abs(each - 1) < 1e-8 else "<>"[each > 1] for each in ratios})
    text = " and ".join(found)
    if text == printed if printed else len(found) > 1:
        return Value(item + ": sign", printed, text)
    if not printed:
        why = f"a blank means any of the three, but the sign is {text} at all {len(points)} points"
    else:
        ratio, at = max((ratio, -i) for i, ratio in enumerate(ratios) if points[i].network)
        why = f"{ratio:.4g} at {points[-at].text()}; {len(points)} points in all"
    return Value(item + ": sign", printed, text, "erratum", why)


def improvements():
    i, untuned_s = 0.1, 1
    yield Value("equation (4.10)", "t_untuned = (1-i) t_tuned", "t_tuned = (1-i) t_untuned",
                "erratum", f"by (4.1), i = {i} reduces 1 s to {untuned_s - i * untuned_s:.4g} s, "
                f"as printed to {untuned_s / (1 - i):.4g} s; (4.12) and all later equations are "
                "correct")
    costs = {item_of(row): row.get("right", row["formula"]) for row in COSTS}
    for row in read_toml(HERE / "table4_2.toml")["rows"]:
        cost, overlaps = formula(costs[item_of(row)]), row.get("where") == "L+o>g"
        # The costs are linear in the parameter, except for max(g, L + o).
        points = [each for each in grid(row["algorithm"], 2)
                  if not (overlaps and not each.is_overlapped())
                  and each.is_overlapped() == tuned(each, row["affected"]).is_overlapped()]
        ratios = []
        for point in points:
            before = cost(vars(point))
            ratios.append((before - cost(vars(tuned(point, row["affected"])))) / before / SMALL)
        item = (f"{item_of(row)} by {row['affected']}" + (" where L+o > g" if overlaps else ""))
        yield compare(item, row, "ratio", points, ratios)
        yield check_sign(item, row["sign"], points, ratios)


# ---- Tables 4.3 and 5.2 ----


def in_catalog(machine, row):
    """In the unit of the table."""
    letter, hockney = row["name"], machine["hockney"]
    if row["set"] == "hockney":
        return hockney["l_s"] / US if letter == "l" else hockney["b_Bps"] / 1e6
    loggp = loggp_set(machine, row["set"])
    if "bytes" not in row:
        return loggp["G_s_per_B" if letter == "G" else f"{letter}_s"] / US
    # g of a message size, from the cost of the linear alltoall of two processes.
    time_s = sim("run", "alltoall", "-p", row["platform"], "-n", 2, "--algorithm", "linear",
                 "--message-size", row["bytes"], "--model-only")["points"][0]["model_loggp_s"]
    message_s = loggp["L_s"] + 2 * loggp["o_s"] + (row["bytes"] - 1) * loggp["G_s_per_B"]
    return (time_s - message_s) / 2 / US


def parameters(table):
    machines = {}
    for row in read_toml(HERE / "tables4_3_and_5_2.toml")["parameter"]:
        if row["table"] != table:
            continue
        name = row["platform"]
        machine = machines.setdefault(name, sim("platform", "show", name))
        ours = in_catalog(machine, row)
        printed, unit, letter = row["printed"], row["unit"], row["name"]
        value = Value(f"{letter} of {name}" + (f", {row['bytes']} bytes" if "bytes" in row else ""),
                      f"{printed} {unit}", f"{as_printed(ours, printed)} {unit}",
                      why=row.get("note", ""))
        if not rounds_to(ours, printed):
            value.verdict = "differs"
        elif "erratum" in row:
            value.verdict, value.why = "erratum", row["erratum"]
            if letter == "G":  # the bandwidth shows that the unit is wrong
                value.computed += "/byte"
                value.why += (f"; per byte it means {1 / ours:.1f} MB/s, {8e-3 / ours:.3g} Gbit/s; "
                              "per message it is negligible")
        yield value


# ---- Table 5.1 ----


def shuffle():
    rows = sim("validate", "io")["points"]
    columns = {}
    for row in rows:
        key = (row["partitioning"], row["decomposition"], row["procs"])
        columns.setdefault(key, {})[row["parameter"]] = row
        yield Value(f"{key[0]} {key[1]}, P = {key[2]}: {row['parameter']}",
                    f"{row['printed']:.10g}", f"{row['model']:.10g}", verdict(row["equal"]))
    wrong = 0  # values that the formulas as printed next to the table do not reproduce
    size, aggregators = 1 << 30, 64
    for (partitioning, decomposition, procs), column in columns.items():
        model = f"{partitioning} {decomposition}"
        if model not in ("even 2d", "static 1d"):
            continue
        n_as = (math.ceil(math.isqrt(procs) / aggregators) if model == "even 2d"
                else size / aggregators)
        n_s = math.ceil(size / (n_as * column["m_s_MB"]["model"] * (1 << 20)))
        wrong += (n_as != column["n_as"]["printed"]) + (n_s != column["n_s"]["printed"])
    evidence = (f"the corrected formulas reproduce {sum(row['equal'] for row in rows)} of "
                f"{len(rows)} values; as printed, {wrong} differ")
    yield Value("5.1.2: n_as of even 2d", "ceil(P_x/P_a)", "ceil(P_a/P_x)", "erratum",
                "c is defined by P_a = c P_x; " + evidence)
    yield Value("5.1.3: n_as of static 1d", "d_p/P_a", "ceil(d_p/b_c)", "erratum",
                "it is a number of messages, not of bytes; " + evidence)


def tendencies():
    for row in read_csv(HERE / "table5_3_5_5.csv"):
        match, mismatch = int(row["match"]), int(row["mismatch"])
        yield Value(f"case {row['case']}, {row['model']}", f"{match} match, {mismatch} do not: "
                    f"{100 * match / (match + mismatch):.1f} %", "", "not recomputable",
                    "measured; io_cases.py simulates these pairs")


if __name__ == "__main__":
    main(__doc__, [("3.1", "ranges of tuned parameters", tuned_parameters),
                   ("3.2", "gains of tuned alltoall", alltoall_gains),
                   ("4.1", "costs of collectives", check_costs),
                   ("4.2", "improvements of collectives", improvements),
                   ("4.3", "parameters of crill", lambda: parameters("4.3")),
                   ("4.4", "impact of the eager limit", eager_limits),
                   ("5.1", "parameters of the shuffle", shuffle),
                   ("5.2", "LogGP of three networks", lambda: parameters("5.2")),
                   ("5.3-5.5", "trends of the shuffle", tendencies)],
         (168, 0, 31, 2, 12))
