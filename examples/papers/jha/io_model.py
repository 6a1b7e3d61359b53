# SPDX-License-Identifier: BSD-3-Clause
"""The model of the shuffle in chapter 5 of S. Jha's dissertation, for check.py and figures.py:
statements about Figures 5.5 to 5.10, and what `sim run write --model-only` predicts."""
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from common import Value, printed, sim, verdict  # noqa: E402

BY = "sim run write --model-only"
MIB = 1 << 20


def predict(machine, procs, bytes_per_proc, aggregators, buffers, partitioning="even,static",
            decomposition="1d,2d"):
    """Points of the model alone: the numbers of processes exceed the machines."""
    return sim("run", "write", "-p", machine, "--implementation", "generic", "--model-only",
               "--oversubscribe", "--decomposition", decomposition, "--partitioning", partitioning,
               "-n", procs, "--bytes-per-proc", bytes_per_proc, "--aggregators", aggregators,
               "--buffer-size", buffers)["points"]


def by_key(points, *columns):
    return {tuple(point[each] for each in columns): point for point in points}


def decompositions():
    """Figures 5.5 and 5.6."""
    points = by_key(predict("crill", "144,225,576", "16MiB:1GiB:*4", 64, "32MiB"),
                    "partitioning", "decomposition", "procs", "bytes_per_proc")
    more = [100 * (point["model_loggp_s"] / points[one, "1d", procs, size]["model_loggp_s"] - 1)
            for (one, how, procs, size), point in points.items() if how == "2d"]
    yield Value("5.5: 2-D above 1-D, up to", "5 %", f"{min(more):.1f} to {max(more):.1f} %", BY,
                "not recomputable", "the figure's numbers of processes and aggregators, buffer and "
                "sizes are not printed; computed with those of Table 5.1 and 16 MiB to 1 GiB")
    pairs = [(point["model_recv_s"], points["static", how, procs, size]["model_recv_s"])
             for (one, how, procs, size), point in points.items() if one == "even"]
    same = sum(abs(a - b) <= 1e-9 * a for a, b in pairs)
    text = printed("5.6: receive part, even and static", "identical")
    yield Value("5.6: receive part, even and static", text,
                "identical" if same == len(pairs) else f"{same} of {len(pairs)} identical", BY,
                verdict(text == "identical" and same == len(pairs)))
    fractions = {procs: [100 * point["model_recv_s"] / point["model_loggp_s"]
                         for key, point in points.items() if key[2:] == (procs, 1 << 30)]
                 for procs in (144, 225, 576)}
    text = "; ".join(f"{min(each):.0f} to {max(each):.0f} % at P/P_a = {procs / 64:.2g}"
                     for procs, each in fractions.items())
    increases = all(max(fractions[a]) < min(fractions[b]) for a, b in ((144, 225), (225, 576)))
    yield Value("5.6: receiving dominates with P/P_a", "decreasing",
                "increasing" if increases else "not monotone", BY,
                "erratum" if increases else "differs",
                "an aggregator receives the data of P/P_a processes: " + text)


def buffer_sizes():
    """Figure 5.7: the time falls up to about 16 MB, and no further."""
    for partitioning in ("even", "static"):
        for decomposition in ("1d", "2d"):
            points = by_key(predict("crill", 576, "1GiB", 100, "1MiB:128MiB:*2", partitioning,
                                    decomposition), "buffer_bytes")
            times = {size // MIB: point["model_loggp_s"] for (size,), point in points.items()}
            item = f"5.7: {partitioning} {decomposition}, gain beyond 16 MB"
            most = printed(item, "2")
            gain = 100 * (1 - min(times.values()) / times[16])
            yield Value(item, f"none (below {most} %)", f"{gain:.1f} %", BY,
                        verdict(gain < float(most)))


def aggregators():
    """Figures 5.9 and 5.10: how many aggregators minimize the time."""
    for figure, procs, text, named, counts in (
            ("5.9", 10000, "1k", (1024,), "16:8192:*2"),
            ("5.10", 250000, "8k to 16k", (8192, 16384), "64:131072:*2")):
        points = by_key(predict("opuntia", procs, "1GiB", counts, "32MiB", "even", "1d"),
                        "aggregators")
        times = {count: point["model_loggp_s"] for (count,), point in points.items()}
        best, at = min(times, key=times.get), max(named)
        item = f"{figure}: best number of aggregators"
        why = (f"the predicted time falls with every doubling, to the largest number tried: at "
               f"{at} it is {times[at] / times[best]:.1f} times that with {best}, but "
               f"{100 * times[at] / max(times.values()):.1f} % of that with {min(times)}, which "
               "looks flat on a linear axis")
        yield Value(item, printed(item, text), str(best), BY, verdict(best in named), why)


def predictions():
    yield from decompositions()
    yield from buffer_sizes()
    yield from aggregators()
