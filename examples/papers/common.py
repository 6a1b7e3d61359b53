# SPDX-License-Identifier: BSD-3-Clause
"""Runs `sim`, reads the printed tables, and prints what was recomputed."""
import argparse
import csv
import json
import math
import os
import re
import subprocess
import sys
import textwrap
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
_BUILT = HERE.parent.parent / "build/release/sim"
SIM = os.environ.get("TUTTI_SIM") or (str(_BUILT) if _BUILT.exists() else "sim")


def sim(*arguments):
    """The JSON of `sim ARGUMENTS`."""
    command = [SIM, *map(str, arguments), "-q", "--format", "json"]
    if arguments[0] in ("platform", "list"):
        command.remove("-q")
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}")
    return json.loads(done.stdout)


def part(report, name):
    """The rows of a table of a report."""
    return next(table["rows"] for table in report["tables"] if table["name"] == name)


def loggp_set(machine, name):
    """A set of LogGP parameters of `sim platform show`."""
    return next(each for each in machine["loggp_sets"] if each["set"].endswith(f"/{name}"))


def options(settings):
    """{"mpi/eager_limit": "4KiB"} as `--set mpi/eager_limit=4KiB`."""
    return [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]


def read_toml(path):
    return tomllib.loads(Path(path).read_text(encoding="utf-8"))


def read_csv(path):
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


# ---- printed numbers, of which only the printed digits are known ----

def decimals(printed):
    digits, _, exponent = printed.lower().partition("e")
    return len(digits.partition(".")[2]) - int(exponent or 0)


def half_digit(printed):
    return 0.5 * 10.0 ** -decimals(printed)


def rounds_to(value, printed):
    return abs(value - float(printed)) <= half_digit(printed) * (1 + 1e-9)


def as_printed(value, printed):
    digits, e, _ = printed.partition("e")
    return f"{value:.{decimals(digits)}{'e' if e else 'f'}}"


def formula(text):
    """A printed formula as a function of its variables: "(P-1)*(l+m/b)", with ^, max, log2, ..."""
    code = compile(text.replace("^", "**"), text, "eval")
    known = {"log2": math.log2, "ceil": math.ceil, "floor": math.floor, "max": max}
    return lambda variables: eval(code, {"__builtins__": {}, **known}, variables)


def size_text(size):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} B"


# ---- verdicts ----

@dataclass
class Value:
    """verdict: equal (to the printed precision), recounted (a statement that the table's own
    entries confirm), erratum, differs, or not recomputable (measured). why: the evidence, or the
    reason of a difference."""
    item: str
    printed: str
    computed: str
    verdict: str = "equal"
    why: str = ""


def verdict(is_right, right="equal"):
    return right if is_right else "differs"


def check_machines(paper):
    """The printed numbers of nodes and cores, and those of the catalog."""
    catalog = {each["name"]: each for each in sim("platform", "list")["platforms"]}
    for row in read_toml(HERE / "machines.toml")["machine"]:
        if row["paper"] != paper:
            continue
        machine = catalog[row["platform"]]
        for column, ours, what in (("nodes", "hosts", "nodes"),
                                   ("cores_per_node", "cores_per_host", "cores per node"),
                                   ("cores", "cores", "cores")):
            if column in row:
                yield Value(f"{row['platform']}: {what}", str(row[column]), str(machine[ours]),
                            verdict(row[column] == machine[ours]))


def _difference(value):
    """Of a number with its unit, relative to the printed one."""
    found = [re.fullmatch(r"([+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?)(?: [^\d]*)?", text)
             for text in (value.printed, value.computed)]
    if not all(found) or float(found[0][1]) == 0:
        return ""
    percent = 100 * (float(found[1][1]) / float(found[0][1]) - 1)
    return f"{percent:+.{1 if abs(percent) < 1000 else 0}f} %"


def print_rows(heads, rows, left=1):
    """A table; the first `left` columns are aligned to the left."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *rows)]
    for row in [heads, *rows]:
        cells = [cell.ljust(width) if i < left else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())


def print_note(text):
    print(textwrap.fill(text, 80, initial_indent="# ", subsequent_indent="#   "))


def _cut(text, width):
    return text if len(text) <= width else text[:width - 3] + "..."


def _print_table(title, values):
    print(f"\n# {title}")
    print_rows(["Value", "Printed", "Ours", "Diff.", "Verdict"],
               [[_cut(each.item, 33), _cut(each.printed, 12), _cut(each.computed, 12),
                 _difference(each),
                 {"not recomputable": "-", "recounted": "recount"}.get(each.verdict, each.verdict)]
                for each in values])
    reasons = {each.why: None for each in values if each.verdict == "not recomputable"}
    notes = [f"-: {reason}" for reason in reasons]
    notes += [f"{each.item} ({each.verdict}): printed {each.printed or 'nothing'}, is "
              f"{each.computed or 'unknown'}; {each.why or 'reason unknown'}"
              for each in values if each.verdict in ("erratum", "differs")]
    for note in notes:
        print_note(note)


VERDICTS = ("equal", "recounted", "erratum", "differs", "not recomputable")


def main(doc, tables, expected):
    """Checks the tables, (id, title, function), or those named on the command line. Exits with 1
    if a value differs without a known reason, or if the numbers of verdicts on all tables are not
    `expected`, in the order of VERDICTS."""
    parser = argparse.ArgumentParser(description=doc.split("\n", maxsplit=1)[0])
    parser.add_argument("table", nargs="*", help=", ".join(table[0] for table in tables))
    parser.add_argument("--json", metavar="FILE", help="also write the values to FILE")
    chosen = parser.parse_args()
    found = []
    for name, title, function in tables:
        if chosen.table and name not in chosen.table:
            continue
        values = list(function())
        _print_table(f"{name}: {title}", values)
        found += [{"table": name, **asdict(value)} for value in values]
    if chosen.json:
        Path(chosen.json).write_text(json.dumps(found, indent=1), encoding="utf-8")
    if not found:
        sys.exit("no such table")
    wrong = [each for each in found if each["verdict"] == "differs" and not each["why"]]
    counts = tuple(sum(row["verdict"] == each for row in found) for each in VERDICTS)
    print(f"\n# {len(found)} values: "
          + ", ".join(f"{count} {each}" for count, each in zip(counts, VERDICTS)))
    if wrong:
        sys.exit(f"{len(wrong)} values differ without a known reason")
    if not chosen.table and counts != expected:
        sys.exit(f"expected {expected}: other verdicts than before")
