# SPDX-License-Identifier: BSD-3-Clause
"""Recomputes tables of the PGMPITuneLib paper (Hunold and Carpen-Amarie, 2018).

Autotuning MPI Collectives using Performance Guidelines.
"""
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from common import (ARITHMETIC, Value, check_machines, formula, main,  # noqa: E402
                    printed, read_toml, sim, verdict)

INT, CHUNK = 4, 4  # I: bytes of an int; C: elements of a chunk, as in the library
PRINTED = read_toml(HERE / "guidelines.toml")
CHECK = "sim guidelines check"

# ---- Table 1 ----


def job(row):
    """The variables of the formulas: n elements of the vector, or of a block of a rank."""
    p, n = row["procs"], row["message_bytes"]
    if row["collective"] in ("scatter", "reduce_scatter_block"):
        n *= p  # the program's size is that of a block
    return {"n": n, "p": p, "I": INT, "C": CHUNK, "c": -n % p}


def check_memory(item, text, rows):
    """Against the bytes that the program's mock-up takes from PGMPITuneLib's two buffers, as it
    reports them for each job."""
    needs = [row["extra_message_bytes"] + row["extra_int_bytes"] for row in rows]
    compute = formula(text)
    off = [(row, compute(job(row)), need) for row, need in zip(rows, needs)
           if compute(job(row)) != need]
    jobs = f"{len(rows) - len(off)} of {len(rows)} jobs"
    if not off:
        return Value(item, text, jobs, CHECK, "equal")
    row, says, need = off[0]
    why = (f"{row['procs']} processes and {row['message_bytes']} B: the formula gives {says:g} B, "
           f"the mock-up needs {need} B")
    if all(says > need for _, says, need in off):
        why = "an upper bound; " + why
    else:
        why = ""
    return Value(item, text, jobs, CHECK, "differs", why)


def memory():
    points = sim("guidelines", "check", "-p", "jupiter", "--ppn", 1, "-n", "2,3,16,33",
                 "--message-size", "1,7,64,1000,10000", accepted=(0, 1))["points"]
    mockups = {}
    for row in PRINTED["guideline"]:
        mockups[row["id"]] = " + ".join(row["mockup"])
        item = f"{row['id']}: {row['collective']} by {mockups[row['id']]}"
        yield check_memory(item, printed(row["id"], row["extra"]),
                           [each for each in points if each["guideline"] == row["id"]])
    for row in PRINTED["collective"]:
        yield Value(row["name"], row["memory"], "", "", "not recomputable",
                    "a collective's own buffers are its arguments, which the program does not "
                    "allocate")
    for row in PRINTED["appendix"]:
        name = mockups[row["id"]]
        yield Value(f"{row['id']}: name in appendix A", row["printed"], name, "", "erratum",
                    "Table 1 lists the v variant, the only one that allows blocks of different "
                    "sizes")


# ---- listing 1 ----


def listing():
    """Number of processes, and by size the replacement of the default that the profile names."""
    lines = [line.split("#")[0].split() for line in
             (HERE / "listing1.prf").read_text(encoding="utf-8").splitlines()[1:]]
    procs, names = int(lines[1][0]), int(lines[2][0])
    mockups = dict(lines[3:3 + names])
    return procs, {int(begin): mockups[number] for begin, _, number in lines[4 + names:]}


def profile():
    """The simulated juqueen must replace the same calls: 64 x 16 processes."""
    procs, replacements = listing()
    points = sim("guidelines", "check", "-p", "juqueen", "-n", procs, "--ppn", 16,
                 "--collective", "scatter", "--guideline", "GL21,GL22", "--selection", "hardware",
                 "--message-size", ",".join(map(str, replacements)), accepted=(0, 1))["points"]
    for size, name in replacements.items():
        item = f"{size} B"
        mockups = [each for each in points if each["message_bytes"] == size]
        fastest = min(mockups, key=lambda each: each["relative_latency"])
        ours = fastest["mockup"] if fastest["replaceable"] else "default"
        name = printed(item, name)
        near = "; ".join(f"{each['mockup']} takes {each['relative_latency']:.2f} times as long"
                         for each in mockups)
        near += ": perhaps because IBM's default scatter of large blocks is not public"
        known = (size, name) == (10000, "scatter_as_scatterv")
        yield Value(item, name, ours, CHECK, verdict(ours == name), near if known else "")
    words = 2  # scatter_as_scatterv needs the counts and the displacements
    most = PRINTED["limit"][0]["bytes"] // INT // words
    item = "processes whose count vectors fit into the buffer of listing 2"
    asked = int(printed(item, str(procs)))
    yield Value(item, str(asked), f"up to {most}", ARITHMETIC, verdict(asked <= most))


# ---- Section 4: reduce by allreduce ----


def violations():
    """GL14 on Jupiter 32 x 16 is violated by large messages."""
    sizes = (128000, 256000, 512000, 725000)
    for point in sim("guidelines", "check", "-p", "jupiter", "-n", 512, "--ppn", 16,
                     "--collective", "reduce", "--guideline", "GL14", "--selection",
                     "auto:ompi-3.1", "--message-size", ",".join(map(str, sizes)),
                     accepted=(0, 1))["points"]:
        item = f"GL14 at {point['message_bytes'] // 1000} kB"
        ours = "violated" if point["relative_latency"] < 1 else "not violated"
        says = printed(item, "violated")
        yield Value(item, says, ours, CHECK, verdict(ours == says))


if __name__ == "__main__":
    main(__doc__, [("1", "memory of mock-ups", memory),
                   ("2", "machines", lambda: check_machines("pgmpitunelib")),
                   ("listing 1", "tuning profile of juqueen", profile),
                   ("4", "reduce by allreduce on Jupiter 32 x 16", violations)],
         {"1": (22, 0, 3, 9), "2": (0, 0, 0, 0), "listing 1": (8, 1, 0, 0), "4": (4, 0, 0, 0)})
