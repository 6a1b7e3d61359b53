# SPDX-License-Identifier: BSD-3-Clause
"""Tables 4.1 and 4.2 of S. Jha's dissertation, for check.py: the printed formulas are evaluated for
many jobs and networks, and compared with the times that `sim run --model-only` predicts."""
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from common import (ARITHMETIC, Value, formula, options, printed, read_toml, sim,  # noqa: E402
                    size_text, verdict)


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
PRINTED = [Point(name, 1.6 * US, 1.9415e9, L * US, o * US, g * US, G * US)
           for name, L, o, g, G in (("crill", 1.84, 1.49, 1.08, 0.00067),
                                    ("crill, g of 32 KB", 1.84, 1.49, 11.9, 0.00067),
                                    ("opuntia", 6.04, 25.88, 7.40, 0.00351),
                                    ("crill-GE", 32.96, 139.7, 297, 0.07991))]
NETWORKS = PRINTED + [Point("", L * US, 1 / (G * US), L * US, o * US, g * US, G * US)
                      for L in (0.3, 3.0, 30.0) for o in (0.3, 3.0, 30.0) for g in (0.4, 4.0, 40.0)
                      for G in (0.00002, 0.002, 0.2)]
SIZES = (1, 2, 128, 8 << 10, 1 << 20, 16 << 20)
PROCS = (4, 5, 6, 8, 9, 32, 33, 64, 1024)
COSTS = read_toml(HERE / "table4_1.toml")["cost"]
ALGORITHMS = {}
for each in COSTS:
    ALGORITHMS.setdefault(each["collective"], {})[each["algorithm"]] = None


def procs_of(algorithm):
    """Numbers of processes at which the algorithm needs no extra steps."""
    return [each for each in PROCS
            if (each & (each - 1) == 0 if algorithm == "recursive_doubling"
                else each % 2 == 0 or algorithm != "neighbor")]


def grid(algorithm, least_bytes, networks=None):
    return [replace(network, P=procs, m=size) for network in networks or NETWORKS
            for procs in procs_of(algorithm) for size in SIZES if size >= least_bytes]


def times(collective, sizes=SIZES, procs=PROCS, settings=None):
    """Both models' times of all algorithms, by algorithm, model, P and m."""
    fanout = ("--fanout", 1) if collective == "bcast" else ()  # the printed chain is a single one
    report = sim("run", collective, "-p", "crill", "--oversubscribe", "--model-only",
                 "-n", ",".join(map(str, procs)), "--algorithm", ",".join(ALGORITHMS[collective]),
                 "--message-size", ",".join(map(str, sizes)), *fanout, *options(settings or {}))
    return {(point["algorithm"], model, point["procs"], point["message_bytes"]):
            point[f"model_{model}_s"] for point in report["points"]
            for model in ("hockney", "loggp")}


def settings_of(network):
    """The options that give the program the parameters of a network."""
    return {"model/hockney/latency": f"{network.l!r}s",
            "model/hockney/bandwidth": f"{network.b!r}Bps",
            **{f"model/loggp/collective/{letter}": f"{getattr(network, letter)!r}s"
               for letter in "LogG"}}


def all_times(jobs):
    """Jobs: (key, collective, network, sizes)."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda job: times(job[1], job[3], settings=settings_of(job[2])), jobs)
        return {job[0]: result for job, result in zip(jobs, results)}


def path_of(row):
    return f"sim run {row['collective']} --model-only"


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
    text, right, note = printed(item, row[column]), row.get("right", ""), row.get("note", "")
    equal, first = fit(text, points, wanted)
    if not first:
        return Value(item, text, f"{equal} points agree", path_of(row), "equal",
                     note if column == "formula" and not right else "")
    if not right:
        return Value(item, text, f"{equal} of {len(points)} agree", path_of(row), "differs",
                     "" if text != row[column] else note)
    corrected, other = fit(right, points, wanted)
    return Value(item, text, right, path_of(row), "differs" if other else "erratum",
                 f"{note}; as printed, {equal} of {len(points)} points agree ({first}); with the "
                 f"correction, {corrected} agree")


def item_of(row):
    return f"{row['collective']} {row['algorithm']}, {row['model']}"


def check_own_gaps():
    """With Table 4.3 the gap depends on the size, and the two printed formulas with max(g, L+o) do
    not state the size of which message it is."""
    gap_s = {size: 1.08 * US if size <= 32 << 10 else 11.9 * US for size in (1 << 10, 12 << 10)}
    crill = PRINTED[0]
    for row in COSTS:
        if row["model"] != "loggp" or "max(g" not in row["formula"]:
            continue
        cost, procs = formula(row.get("right", row["formula"])), (4, 6, 8, 32, 64)
        ours = times(row["collective"], gap_s, procs)
        points = [replace(crill, P=each, m=size, g=gap_s[size]) for each in procs
                  for size in gap_s if each in procs_of(row["algorithm"])]
        seen = [(cost(vars(point)), ours[row["algorithm"], "loggp", point.P, point.m], point)
                for point in points]
        others = [each for each in seen if abs(each[0] - each[1]) > 1e-8 * each[1]]
        text = [f"{point.P} processes, {size_text(point.m)}: {one / US:.1f} us with the gap of m, "
                f"{own / US:.1f} us" for one, own, point in others]
        yield Value(f"{item_of(row)}: whose g, on crill", "g of m",
                    "g of each message", path_of(row), verdict(not others),
                    f"the program takes the gap of the size that each step sends, as NetGauge "
                    f"measures it; {len(others)} of {len(seen)} points differ. " + "; ".join(text))


def check_costs():
    jobs = [((network, collective), collective, network, SIZES)
            for network in NETWORKS for collective in ALGORITHMS]
    found = all_times(jobs)
    for row in COSTS:
        points = grid(row["algorithm"], 1)
        yield compare(item_of(row), row, "formula", points,
                      [found[replace(point, P=0, m=0), row["collective"]][
                          row["algorithm"], row["model"], point.P, point.m] for point in points])
    yield from check_own_gaps()


SMALL = 1e-4  # the improvement of a message


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


def is_possible(point, letter):
    """The parameter alone can cause the improvement, and max(g, L + o) remains the same term."""
    after = tuned(point, letter)
    return getattr(after, letter) > 0 and point.is_overlapped() == after.is_overlapped()


def predicted_ratios():
    """By collective, algorithm, model, letter and point: the collective's improvement over the
    message's, both predicted by the program."""
    sizes = [size for size in SIZES if size >= 2]
    before = all_times([((network, collective), collective, network, sizes)
                        for network in PRINTED for collective in ALGORITHMS])
    jobs = [((network, size, letter, collective), collective,
             tuned(replace(network, m=size), letter), (size,))
            for network in PRINTED for size in sizes for letter in "lboG"
            if getattr(tuned(replace(network, m=size), letter), letter) > 0
            for collective in ALGORITHMS]
    after = all_times(jobs)

    def ratio(row, point):
        key = (row["algorithm"], row["model"], point.P, point.m)
        network = replace(point, P=0, m=0)
        first = before[network, row["collective"]][key]
        last = after[network, point.m, row["affected"], row["collective"]][key]
        return (first - last) / first / SMALL
    return ratio


def check_sign(item, sign, points, ratios):
    """The last column of the table; a blank means that all three signs are possible."""
    sign = printed("sign of " + item, sign)
    found = sorted({"=" if abs(each - 1) < 1e-8 else "<>"[each > 1] for each in ratios})
    text = " and ".join(found)
    if sign and text == sign or not sign and len(found) > 1:
        return Value("sign of " + item, sign or "any", text, ARITHMETIC, "equal")
    if not sign:
        why = f"a blank means any of the three, but the sign is {text} at all {len(points)} points"
    else:
        ratio, at = max((ratio, -i) for i, ratio in enumerate(ratios) if points[i].network)
        why = f"{ratio:.4g} at {points[-at].text()}; {len(points)} points in all"
    return Value("sign of " + item, sign or "any", text, ARITHMETIC, "erratum", why)


def improvements():
    i, untuned_s = 0.1, 1
    yield Value("equation (4.10)", "t_untuned = (1-i) t_tuned", "t_tuned = (1-i) t_untuned",
                ARITHMETIC, "erratum",
                f"by (4.1), i = {i} reduces 1 s to {untuned_s - i * untuned_s:.4g} s, "
                f"as printed to {untuned_s / (1 - i):.4g} s; (4.12) and all later equations are "
                "correct")
    costs = {item_of(row): row.get("right", row["formula"]) for row in COSTS}
    predicted = predicted_ratios()
    for row in read_toml(HERE / "table4_2.toml")["rows"]:
        cost, overlaps = formula(costs[item_of(row)]), row.get("where") == "L+o>g"
        points = [each for each in grid(row["algorithm"], 2)
                  if (each.is_overlapped() or not overlaps) and is_possible(each, row["affected"])]
        ratios = []  # of the formulas that check_costs compares with the program
        for point in points:
            before = cost(vars(point))
            ratios.append((before - cost(vars(tuned(point, row["affected"])))) / before / SMALL)
        item = (f"{item_of(row)} by {row['affected']}" + (" where L+o > g" if overlaps else ""))
        on_printed = [point for point in points if point.network]
        yield compare(item, row, "ratio", on_printed,
                      [predicted(row, point) for point in on_printed])
        yield check_sign(item, row["sign"], points, ratios)
