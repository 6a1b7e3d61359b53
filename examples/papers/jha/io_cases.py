# SPDX-License-Identifier: BSD-3-Clause
"""Repeats Tables 5.3 to 5.5 of S. Jha's dissertation: trends of the shuffle of collective I/O.

One parameter changes between neighboring points: in case 1 the data per process, in case 2 the
number of aggregators, in case 3 the number of processes. A pair matches if simulated and modeled
time both increase or both decrease. Pairs in which one of them changes by less than --least-change
are excluded; "All" counts those in which only one changes as not matching. The dissertation
compares the model with measurements on crill, and does not state what it does with small changes.
The exit code is 1 if a smaller fraction of the pairs of any row matches, without the excluded ones,
than in the dissertation.
"""
import argparse
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from common import print_note, print_rows, read_csv, sim, size_text  # noqa: E402

VARIED = {1: "data", 2: "aggregators", 3: "processes"}
BUFFERS = {"even": "32MiB", "static": "1MiB"}
# By case: the parameters of a point, of which the last one varies.
ORDERS = {1: ("procs", "aggregators", "bytes_per_proc"),
          2: ("procs", "bytes_per_proc", "aggregators"),
          3: ("bytes_per_proc", "aggregators", "procs")}


def points_of(options):
    """Writes with 1, 2, 4, ... aggregators."""
    def run(procs, domains):
        counts = [str(1 << i) for i in range(procs.bit_length())]
        return sim("run", "write", "-p", options.platform, "--implementation", "generic",
                   "--engine", "flow", "--decomposition", "1d,2d", "--partitioning", domains,
                   "-n", procs, "--bytes-per-proc", options.bytes_per_proc, "--aggregators",
                   ",".join(counts), "--buffer-size", BUFFERS[domains])["points"]
    jobs = [(int(procs), domains) for procs in options.procs.split(",") for domains in BUFFERS]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return sum(pool.map(lambda job: run(*job), jobs), [])


@dataclass
class Facts:
    """What the columns of a point show about its bottleneck and about the model.

    limit: the resource that is busy for the largest fraction of the time, busy. charged_send and
    charged_recv: the bytes that the model charges, because its numbers of cycles and messages are
    whole, divided by the actual bytes.
    """
    limit: str
    busy: float
    own: float      # fraction of the data that stays on its rank
    leaving: float  # fraction that leaves its node
    charged_send: float
    charged_recv: float
    uncharged_s: float  # the model's time if it charged the actual bytes

    def __init__(self, point, nic_Bps, core_Bps):
        size, time_s = point["file_bytes"], point["time_s"]
        leaving = size - point["own_bytes"] - point["intra_node_bytes"]

        def of_nodes(count):
            return leaving / count / nic_Bps / time_s if count else 0
        senders = point["procs"] * point["n_s"] / point["n_r"]
        cores = (point["intra_node_bytes"] / senders / core_Bps / time_s
                 if 0 < senders < point["procs"] else 0)
        limits = [("NICs of the sending nodes", of_nodes(point["sending_nodes"])),
                  ("cores of the sending processes", cores),
                  (point["busiest_link"] or "", (point["busiest_link_busy_s"] or 0) / time_s),
                  ("NICs of the receiving nodes", of_nodes(point["receiving_nodes"]))]
        self.limit, busy = max(limits, key=lambda each: each[1])
        self.busy = min(busy, 1)
        self.own, self.leaving = point["own_bytes"] / size, leaving / size
        message = point["m_s_bytes"]
        self.charged_send = (point["n_s"] * point["n_as"] * message / (size / point["procs"]))
        self.charged_recv = (point["n_r"] * point["n_ar"] * message / (size / point["aggregators"]))
        self.uncharged_s = (point["model_send_s"] / self.charged_send
                            + point["model_recv_s"] / self.charged_recv)

    def is_limit(self):
        return self.busy >= 0.7

    def is_sender(self):
        return "sending" in self.limit and self.is_limit()

    def is_core(self):
        return self.limit.startswith("core")


CAUSES = {
    "senders": "few nodes or processes send at a time and are the bottleneck, whatever the number "
               "of aggregators; the model does not consider nodes",
    "rounding": "the model rounds cycles and messages up to whole numbers and so charges more "
                "bytes than there are; without rounding it follows the simulation",
    "limit": "at one point NICs or links are the bottleneck, at the other cores of processes; the "
             "model does not consider nodes",
    "nics": "at both points NICs or links of nodes are the bottleneck, so the number of nodes with "
            "aggregators matters; the model gives each aggregator a NIC of its own",
    "borders": "at one of the two numbers of processes, boundaries of file domains coincide with "
               "those of the ranks' data; at the other they do not, and ranks send to more "
               "aggregators",
    "stays": "the fraction of the data that stays on its rank or its node differs; the model "
             "charges all data equally",
    "unknown": "the columns do not show the cause"}


class Study:
    def __init__(self, points, least, rates):
        self.least = least
        self.facts = {id(point): Facts(point, *rates) for point in points}
        self.models = list(dict.fromkeys(map(self.model_of, points)))
        self.pairs = []
        for case, order in ORDERS.items():
            points.sort(key=lambda point: (self.model_of(point), *(point[key] for key in order)))
            for a, b in pairwise(points):
                if (self.model_of(a) == self.model_of(b)
                        and all(a[key] == b[key] for key in order[:2])):
                    self.pairs.append(self.pair(case, a, b))

    @staticmethod
    def model_of(point):
        return f"{point['partitioning']} {point['decomposition']}"

    def agreement(self, simulated, model):
        simulated, model = ((each > 0) - (each < 0) if abs(each) >= self.least else 0
                            for each in (simulated, model))
        if not simulated or not model:
            return ("only model" if model else "only simulated" if simulated else "no change")
        return "match" if simulated == model else "mismatch"

    def pair(self, case, a, b):
        simulated = b["time_s"] / a["time_s"] - 1
        model = b["model_loggp_s"] / a["model_loggp_s"] - 1
        pair = {"case": case, "model": self.model_of(a), "agreement":
                self.agreement(simulated, model), "from": a, "to": b,
                "simulated_change": simulated, "model_change": model, "cause": None}
        if pair["agreement"] not in ("match", "no change"):
            pair["cause"] = self.cause(pair)
        return pair

    def cause(self, pair):
        """The first one that applies."""
        a, b = (self.facts[id(pair[end])] for end in ("from", "to"))
        if a.is_sender() and b.is_sender():
            return "senders"
        if self.agreement(pair["simulated_change"], b.uncharged_s / a.uncharged_s - 1) in (
                "match", "no change"):
            return "rounding"
        if a.is_limit() and b.is_limit():
            if a.is_core() != b.is_core():
                return "limit"
            if not a.is_core():
                return "nics"
        if pair["case"] == 3 and pair["model"].startswith("even") and len(
                {pair[end]["procs"] % pair[end]["aggregators"] == 0 for end in ("from", "to")}) > 1:
            return "borders"
        if abs(a.own - b.own) >= 0.02 or abs(a.leaving - b.leaving) >= 0.02:
            return "stays"
        return "unknown"

    def count(self, *wanted):
        """The number of pairs with these values of case, model, agreement, cause."""
        keys = ("case", "model", "agreement", "cause")
        return sum(all(pair[key] == value for key, value in zip(keys, wanted))
                   for pair in self.pairs)


def rate(match, mismatch):
    return match / (match + mismatch) if match + mismatch else None


def percent(fraction):
    return "" if fraction is None else f"{100 * fraction:.1f}"


def cases_of(study):
    """A row for each case and model, with the dissertation's counts."""
    printed = {(int(row["case"]), row["model"]): row for row in
               read_csv(HERE / "table5_3_5_5.csv")}
    for case in ORDERS:
        for model in study.models:
            counts = {each.replace(" ", "_"): study.count(case, model, each) for each in
                      ("match", "mismatch", "only model", "only simulated", "no change")}
            paper = printed[case, model]
            of_paper = int(paper["match"]), int(paper["mismatch"])
            row = {"case": case, "model": model, **counts,
                   "rate": rate(counts["match"], counts["mismatch"]),
                   "excluded": counts["only_model"] + counts["only_simulated"]
                   + counts["no_change"],
                   "rate_of_all": rate(counts["match"], sum(counts.values()) - counts["match"]
                                       - counts["no_change"]),
                   "paper_match": of_paper[0], "paper_mismatch": of_paper[1],
                   "paper_rate": rate(*of_paper)}
            for verdict, own in (("no_worse", "rate"), ("all_no_worse", "rate_of_all")):
                row[verdict] = None if row[own] is None else row[own] >= row["paper_rate"]
            yield row


def print_cases(cases):
    print("# Pairs in which the model follows the simulation; Paper: measurements")
    words = {True: "yes", False: "no", None: ""}
    print_rows(["Varies", "Model", "Match", "Differ", "Excluded", "Rate %", "All %", "Paper",
                "Differ", "Rate %", "As often", "All"],
               [[VARIED[row["case"]], row["model"], row["match"], row["mismatch"], row["excluded"],
                 percent(row["rate"]), percent(row["rate_of_all"]), row["paper_match"],
                 row["paper_mismatch"], percent(row["paper_rate"]), words[row["no_worse"]],
                 words[row["all_no_worse"]]]
                for row in cases], left=2)
    excluded = sum(row["excluded"] for row in cases)
    pairs = excluded + sum(row["match"] + row["mismatch"] for row in cases)
    rows, of_all = (sum(row[each] is True for row in cases) for each in
                    ("no_worse", "all_no_worse"))
    print_note(f"{rows} of {len(cases)} rows match at least as often as in the dissertation if the "
               f"{excluded} of {pairs} pairs are excluded in which the simulation or the model "
               f"does not change, {of_all} if the pairs in which only one of the two changes count "
               "as not matching")


def print_causes(study):
    print("\n# Causes of the other pairs")
    rows = [[VARIED[case], model, agreement, cause, study.count(case, model, agreement, cause)]
            for case in ORDERS for model in study.models
            for agreement in ("mismatch", "only model", "only simulated") for cause in CAUSES]
    rows = [row for row in rows if row[-1]]
    print_rows(["Varies", "Model", "What changes", "Cause", "Pairs"], rows, left=4)
    for cause in CAUSES:
        if any(row[3] == cause for row in rows):
            print_note(f"{cause}: {CAUSES[cause]}")


def print_mismatches(study):
    def span(pair, key, text=str):
        ends = [text(pair[end][key]) for end in ("from", "to")]
        return "-".join(dict.fromkeys(ends))
    print("\n# Pairs in which one increases and the other decreases")
    print_rows(["Varies", "Model", "Procs", "Bytes/proc", "Aggr.", "Sim. %", "Model %", "Cause"],
               [[VARIED[pair["case"]], pair["model"], span(pair, "procs"),
                 span(pair, "bytes_per_proc", size_text), span(pair, "aggregators"),
                 f"{100 * pair['simulated_change']:+.1f}", f"{100 * pair['model_change']:+.1f}",
                 pair["cause"]]
                for pair in study.pairs if pair["agreement"] == "mismatch"], left=2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--platform", default="crill")
    parser.add_argument("--procs", default="36,64,144,225,256,576")
    parser.add_argument("--bytes-per-proc", default="14440000,64MiB,256MiB",
                        help="default: squares of 3800, 8192, 16384 bytes")
    parser.add_argument("--least-change", type=float, default=1, metavar="PERCENT")
    parser.add_argument("--json", metavar="FILE", help="also write all pairs to FILE")
    options = parser.parse_args()
    inside, outside = (sim("platform", "routes", options.platform, 0, node)["routes"][0]
                       for node in (0, 1))
    study = Study(points_of(options), options.least_change / 100,
                  (outside["links"][0]["bandwidth_Bps"], inside["bandwidth_Bps"]))
    cases = list(cases_of(study))
    print_cases(cases)
    print_causes(study)
    print_mismatches(study)
    if options.json:
        pairs = [{**pair, "facts": [vars(study.facts[id(pair[end])]) for end in ("from", "to")]}
                 for pair in study.pairs]
        Path(options.json).write_text(json.dumps({"cases": cases, "pairs": pairs}, indent=1),
                                      encoding="utf-8")
    low = [row for row in cases if row["no_worse"] is False]
    if low:
        sys.exit(f"{len(low)} rows have a smaller fraction of matches than the dissertation")


if __name__ == "__main__":
    main()
