# SPDX-License-Identifier: BSD-3-Clause
"""Recomputes tables of the PGMPITuneLib paper (Hunold and Carpen-Amarie, 2018).

Autotuning MPI Collectives using Performance Guidelines.
"""
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from common import Value, check_machines, formula, main, read_toml, sim, verdict  # noqa: E402

INT, CHUNK = 4, 4  # I: bytes of an int; C: elements of a chunk, as in the library
PRINTED = read_toml(HERE / "guidelines.toml")

# ---- Table 1 ----


def job(n, p, vectors):
    """The variables of the formulas for n elements and p processes. dealt: the most elements of a
    process if they are distributed round-robin in chunks, an incomplete one to the next process."""
    block, chunks = -(-n // p), n // CHUNK
    return {"n": n, "p": p, "I": INT, "C": CHUNK, "c": block * p - n, "block": block,
            "dealt": chunks // p * CHUNK + (CHUNK if chunks % p else n % CHUNK),
            "vectors": vectors * p * INT}


def check_memory(item, printed, needs, vectors=0):
    jobs = [job(n, p, vectors) for p in (2, 3, 16, 100, 1024) for n in (1, 7, 64, 1000, 100_000)]
    pairs = [(formula(printed)(each), formula(needs)(each)) for each in jobs]
    equal = sum(memory == needed for memory, needed in pairs)
    if equal == len(jobs):
        return Value(item, printed, needs, why=f"for {len(jobs)} jobs")
    if all(memory >= needed for memory, needed in pairs):
        return Value(item, printed, needs,
                     why=f"an upper bound: {equal} of {len(jobs)} jobs need all of it")
    return Value(item, printed, needs, "differs")


def memory():
    mockups = {}
    for row in PRINTED["guideline"]:
        mockups[row["id"]] = " + ".join(row["mockup"])
        yield check_memory(f"{row['id']}: {row['collective']} by {mockups[row['id']]}",
                           row["extra"], row["needs"], row.get("vectors", 0))
    for row in PRINTED["collective"]:
        yield check_memory(row["name"], row["memory"], f"{row['sends']}+{row['receives']}")
    for row in PRINTED["appendix"]:
        name = mockups[row["id"]]
        yield Value(f"{row['id']}: name in appendix A", row["printed"], name,
                    verdict(name == row["right"], "erratum"), "Table 1 lists the v variant, the "
                    "only one that allows blocks of different sizes")
    for row in PRINTED["limit"]:
        for vectors, words in ((2, "2 count vectors"), (1, "1 count vector")):
            yield Value(f"{row['item']}: maximum number of processes with {words}", "",
                        str(row["bytes"] // INT // vectors),
                        why="not printed; with more processes the default algorithm runs")


# ---- listing 1 ----


def profile():
    """The program must read the profile and replace exactly the calls that it names."""
    lines = [line.split("#")[0].split() for line in
             (HERE / "listing1.prf").read_text(encoding="utf-8").splitlines()[1:]]
    procs, names = int(lines[1][0]), int(lines[2][0])
    mockups = dict(lines[3:3 + names])
    ranges = [(int(begin), int(end), mockups.get(number))
              for begin, end, number in lines[4 + names:]]
    sizes = sorted({size + near for begin, end, _ in ranges for size in (begin, end)
                    for near in (-1, 0, 1) if size + near > 0})
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(HERE / "listing1.prf", folder)
        points = sim("run", "scatter", "-p", "jupiter", "-n", procs, "--oversubscribe",
                     "--model-only", "--profile", folder, "--algorithm", "auto",
                     "--message-size", ",".join(map(str, sizes)))["points"]
    ours = {point["message_bytes"]: point["algorithm"] for point in points
            if point["decided_by"] == "profile"}
    right = {size: name for begin, end, name in ranges for size in sizes if begin <= size <= end}
    applied = [each for each in ranges if ours.get(each[0]) == ours.get(each[1]) == each[2]]
    ascend = all(before[1] < after[0] for before, after in zip(ranges, ranges[1:]))
    for item, printed, computed in (
            ("ranges", lines[3 + names][0], len(applied) if ours == right else 0),
            ("mock-ups", names, len(set(ours.values()))),
            ("ranges that begin at or below their end", len(ranges),
             sum(begin <= end for begin, end, _ in ranges)),
            ("ranges that name a mock-up", len(ranges),
             sum(each[2] is not None for each in ranges)),
            ("ranges ascend without overlap", "yes", "yes" if ascend else "no")):
        yield Value(item, str(printed), str(computed), verdict(str(printed) == str(computed)))
    # scatter_as_scatterv needs two count vectors, in the buffer of listing 2.
    most = PRINTED["limit"][0]["bytes"] // INT // 2
    yield Value("processes whose count vectors fit", str(procs), f"up to {most}",
                verdict(procs <= most))


if __name__ == "__main__":
    main(__doc__, [("1", "memory of mock-ups", memory),
                   ("2", "machines", lambda: check_machines("pgmpitunelib")),
                   ("listing 1", "tuning profile", profile)],
         (44, 0, 3, 0, 0))
