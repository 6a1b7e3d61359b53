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


def sim(*arguments, accepted=(0,)):
    """The JSON of `sim ARGUMENTS`, whose exit code must be one of `accepted`."""
    command = [SIM, *map(str, arguments), "-q", "--format", "json"]
    if arguments[0] in ("platform", "list"):
        command.remove("-q")
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in accepted:
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

VERDICTS = ("equal", "differs", "erratum", "not recomputable")
ARITHMETIC = "arithmetic"


@dataclass
class Value:
    """A printed value, and what this script computes for it. by: what computed it, a command
    "sim ..." or ARITHMETIC; empty if nothing did, so that it is not recomputable or an erratum of
    the text. verdict: equal (to the printed precision), differs, erratum, or not recomputable.
    why: the evidence of an erratum, the reason of another verdict."""
    item: str
    printed: str
    computed: str
    by: str
    verdict: str
    why: str = ""

    def __post_init__(self):
        if self.verdict not in VERDICTS:
            raise ValueError(f"{self.item}: unknown verdict '{self.verdict}'")
        if self.by and self.by != ARITHMETIC and not self.by.startswith("sim "):
            raise ValueError(f"{self.item}: computed by '{self.by}'")
        if not self.by and self.verdict in ("equal", "differs"):
            raise ValueError(f"{self.item}: '{self.verdict}', but nothing computed a value")
        if not self.printed and self.verdict in ("equal", "differs"):
            raise ValueError(f"{self.item}: '{self.verdict}', but nothing is printed")
        if self.verdict in ("erratum", "not recomputable") and not self.why:
            raise ValueError(f"{self.item}: '{self.verdict}' without a reason")


@dataclass
class Consistency:
    """How many numbers agree with those that they derive from: a table's own entries, or the
    catalog's copies. It has no verdict: nothing is computed again. An inconsistent one is a Value
    of its own, an erratum or a difference."""
    item: str
    agree: int
    total: int


def verdict(is_right, otherwise="differs"):
    return "equal" if is_right else otherwise


WRONG = {}  # printed constants that --wrong replaces
_ASKED = set()


def printed(item, text):
    """A printed constant, or what `--wrong ITEM=VALUE` puts in its place."""
    _ASKED.add(item)
    return WRONG.get(item, text)


def check_machines(paper):
    """The printed numbers of nodes and cores. The catalog has them from the papers, so that they
    are counted only if they differ."""
    agree = total = 0
    catalog = {each["name"]: each for each in sim("platform", "list")["platforms"]}
    for row in read_toml(HERE / "machines.toml")["machine"]:
        if row["paper"] != paper:
            continue
        machine = catalog[row["platform"]]
        for column, ours, what in (("nodes", "hosts", "nodes"),
                                   ("cores_per_node", "cores_per_host", "cores per node"),
                                   ("cores", "cores", "cores")):
            if column in row:
                item = f"{row['platform']}: {what}"
                number = printed(item, str(row[column]))
                if number == str(machine[ours]):
                    agree += 1
                else:
                    yield Value(item, number, str(machine[ours]), "sim platform list", "differs")
                total += 1
    yield Consistency("numbers that the catalog has from this table", agree, total)


def consistency(item, checks):
    """Counts the checks, (item, printed, from the table's own entries, whether they agree)."""
    agree = 0
    for name, number, ours, is_right in checks:
        agree += is_right
        if not is_right:
            yield Value(name, number, ours, ARITHMETIC, "erratum",
                        "the paper's own entries contradict it")
    yield Consistency(item, agree, len(checks))


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


def _print_table(title, values, consistencies):
    print(f"\n# {title}")
    if values:
        print_rows(["Value", "Printed", "Ours", "Diff.", "Verdict"],
                   [[_cut(each.item, 33), _cut(each.printed, 12), _cut(each.computed, 12),
                     _difference(each), "-" if each.verdict == "not recomputable"
                     else each.verdict] for each in values])
    reasons = {each.why: None for each in values if each.verdict == "not recomputable"}
    notes = [f"not recomputable (-): {reason}" for reason in reasons]
    notes += [f"{each.item} ({each.verdict}): printed {each.printed or 'nothing'}, is "
              f"{each.computed or 'unknown'}; {each.why or 'reason unknown'}"
              for each in values if each.verdict in ("erratum", "differs")]
    notes += [f"not counted: {each.item}: {each.agree} of {each.total}" for each in consistencies]
    paths = {each.by: None for each in values if each.by}
    notes += [f"computed by {', '.join(paths)}"] if paths else []
    for note in notes:
        print_note(note)


def counts_of(rows):
    """How many values have each of VERDICTS."""
    return tuple(sum(row["verdict"] == each for row in rows) for each in VERDICTS)


def counts_text(counts):
    return ", ".join(f"{count} {each}" for count, each in zip(counts, VERDICTS))


def _arguments(doc, tables):
    parser = argparse.ArgumentParser(description=doc.split("\n", maxsplit=1)[0])
    parser.add_argument("table", nargs="*", help=", ".join(table[0] for table in tables))
    parser.add_argument("--json", metavar="FILE", help="also write the values to FILE")
    parser.add_argument("--wrong", metavar="ITEM=VALUE", action="append", default=[],
                        help="replace a printed constant, to test the check")
    chosen = parser.parse_args()
    unknown = set(chosen.table) - {table[0] for table in tables}
    if unknown:
        parser.error(f"no such table: {', '.join(sorted(unknown))}")
    for text in chosen.wrong:
        item, is_one, value = text.rpartition("=")
        if not is_one:
            parser.error(f"--wrong: expected ITEM=VALUE, not '{text}'")
        WRONG[item] = value
    return chosen


def main(doc, tables, expected):
    """Checks the tables, (id, title, function), or those named on the command line. expected: by
    table, how many values have each of VERDICTS. Exits with 1 if a value differs without a known
    reason, or if a table's counts are not the expected ones."""
    chosen = _arguments(doc, tables)
    found, changed = [], []
    for name, title, function in tables:
        if chosen.table and name not in chosen.table:
            continue
        lines = list(function())
        values = [each for each in lines if isinstance(each, Value)]
        _print_table(f"{name}: {title}", values,
                     [each for each in lines if isinstance(each, Consistency)])
        rows = [{"table": name, **asdict(value)} for value in values]
        if counts_of(rows) != tuple(expected[name]):
            changed.append(f"{name}: expected {counts_text(expected[name])}; "
                           f"found {counts_text(counts_of(rows))}")
        found += rows
    if chosen.json:
        Path(chosen.json).write_text(json.dumps(found, indent=1), encoding="utf-8")
    print(f"\n# {len(found)} values: {counts_text(counts_of(found))}")
    unused = sorted(set(WRONG) - _ASKED)
    if unused:
        sys.exit(f"--wrong: no printed constant '{unused[0]}'")
    wrong = [each for each in found if each["verdict"] == "differs" and not each["why"]]
    if wrong:
        changed.append(f"{len(wrong)} values differ without a known reason")
    if changed:
        sys.exit("\n".join(changed))
