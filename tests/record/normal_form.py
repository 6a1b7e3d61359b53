# SPDX-License-Identifier: BSD-3-Clause
"""The normal form of a call of `sim`: equal in every run of the same program.

A mask replaces only values that differ between two recordings of one program: names of temporary
folders, times of day, and the cost of a run. Masks include the column, the key or the sentence; no
mask matches a bare number.
"""
import hashlib
import json
import os
import re
import sqlite3
import tempfile

COST_COLUMNS = {"wall_s", "peak_rss_bytes"}
# They depend on file names, if these are in a temporary folder.
NAME_COLUMNS = {"key", "description", "platform_hash"}
TIME = r"[\d.]+(?:e[+-]?\d+)? ?(?:ns|us|ms|s|min|h|d)"
MEMORY = r"[\d.]+ ?(?:B|KiB|MiB|GiB|TiB)"

# Cost and time of a run: a pattern and its replacement.
MASKS = [(re.compile(pattern, re.MULTILINE), mask) for pattern, mask in [
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "<date>"),
    (rf"\bsimulated in {TIME}(?: with at most {MEMORY})?", "simulated in <cost>"),
    (rf"\b{TIME} of compute time, at most {MEMORY} per point", "<cost>"),
    (rf"\babout {TIME} on \d+ cores?, at most {MEMORY} of memory each, by what", "<cost>, by what"),
    (rf"\bA decision by the models takes {TIME} on", "A decision by the models takes <cost> on"),
    (rf"\b{MEMORY} are free", "<memory> are free"),
    # The provenance file of a CSV, which may have columns of costs.
    (r'"bytes": \d+,\s+"hash": "[0-9a-f]{32}"', '"bytes": <size>, "hash": <hash>'),
    (r'("(?:wall_s|peak_rss_bytes)": ?)[-+.\deE]+', r"\1<cost>"),
    # The recorder's variable, if a call prints its environment.
    (r"^TUTTI_RECORD_DIR=.*\n", ""),
    # A line for each tenth of a run of more than 5 s.
    (r"^\d+ of \d+ \w+ \(\d+ %\), .*\bso far\b.*\n", ""),
    # A platform file of `sim` has the command that created it in a comment.
    (r"(<tmp\d+>[^)\n]*\),\s+(?:#\s+)?hash )[0-9a-f]{16}", r"\1<hash>"),
]]
# In calls that create a platform file.
JSON_HASH = re.compile(r'("(?:platform_)?hash": ?)"[0-9a-f]{16}"')
# In binary files: the creation time of a PDF, and the random identifier of an OTF2 archive.
PDF_DATE = re.compile(rb"/CreationDate \(D:\d+Z\)")
OTF2_HEAD = b"\x03BOTF2"

# Calls that differ from run to run, by test and arguments, with the reason. All calls of the test
# that use the same temporary folder are omitted as well.
UNSTABLE = [(re.compile(test), re.compile(arguments), reason) for test, arguments, reason in [
    (r"sweep_test$", r"^sweep <tmp\d+>/s\.toml -q -j 1$", "a file is changed during the run"),
    (r"replay_smpi_test$", r"^replay <tmp\d+>/trace\.txt ", "the trace has measured times"),
]]

TEMPORARY = re.compile(r"(?:/tmp|/dev/shm)/(?:tutti-[A-Za-z0-9]{6}|tmp\.[A-Za-z0-9]{10})")
CELL = re.compile(r'("(?:[^"]|"")*"|[^,]*)(,|$)')


def text_of(data):
    return data.decode("utf-8", "surrogateescape")


def bytes_of(text):
    return text.encode("utf-8", "surrogateescape")


def digest(data):
    return hashlib.sha256(data).hexdigest()[:24]


def cells_of(line):
    """The cells of a CSV line, unparsed."""
    cells, at = [], 0
    while True:
        match = CELL.match(line, at)
        cells.append(match.group(1))
        at = match.end()
        if not match.group(2):
            return cells if at == len(line) else None


def masked_cells(header, cells, has_own_platform):
    """The cells of a line under its header; a platform in a temporary folder has no fixed names."""
    at = header.index("platform") if "platform" in header else None
    own = at is not None and at < len(cells) and cells[at].lstrip('"').startswith("<tmp")
    hidden = COST_COLUMNS | (NAME_COLUMNS if own else set())
    hidden |= {"platform_hash"} if has_own_platform else set()
    return ["<hidden>" if cell and name in hidden else cell
            for name, cell in zip(header, cells)] + cells[len(header):]


def mask_columns(text, has_own_platform):
    """CSV: columns of costs, and of names, from a header to the next one."""
    if not any(f"{column}" in text for column in COST_COLUMNS | {"platform_hash"}):
        return text
    lines, header = text.split("\n"), None
    for i, line in enumerate(lines):
        if line.startswith("#") or "," not in line:
            continue
        cells = cells_of(line)
        if not cells:
            continue
        if (COST_COLUMNS | {"platform_hash"}) & set(cells):
            header = cells
        elif header:
            lines[i] = ",".join(masked_cells(header, cells, has_own_platform))
    return "\n".join(lines)


def mask_bytes(data):
    if data.startswith(b"%PDF"):
        return PDF_DATE.sub(b"/CreationDate (D:0)", data)
    if data.startswith(OTF2_HEAD) and len(data) < 1000:  # the anchor file ends with it
        return data[:-19] + bytes(8) + data[-11:]
    return data


def sorted_errors(text):
    """Concurrent points fail in any order."""
    lines = text.split("\n")
    begin = 0
    for i, line in enumerate(lines + [""]):
        if not line.startswith("sim: error: "):
            lines[begin:i] = sorted(lines[begin:i])
            begin = i + 1
    return "\n".join(lines)


class Neutral:
    """Gives paths of a call names that do not depend on the run: <source>, <tmp1>, ..."""

    def __init__(self, places):
        # Longer ones first: a build folder may be inside the source folder.
        self.places = sorted(places.items(), key=lambda place: -len(place[0]))
        self.temporary = {}
        self.has_own_platform = False  # an argument of the command is a platform file

    def paths(self, text):
        for place, name in self.places:
            text = text.replace(place, name)

        def named(match):
            number = len(self.temporary) + 1
            return self.temporary.setdefault(match.group(), f"<tmp{number}>")
        text = TEMPORARY.sub(named, text)
        for path, name in self.temporary.items():  # without its folder, as in ../NAME
            base = path.rsplit("/", 1)[1]
            if base in text:
                text = text.replace(base, name)
        return text

    def text(self, text):
        text = mask_page(mask_columns(self.paths(text), self.has_own_platform))
        for pattern, mask in MASKS:
            text = pattern.sub(mask, text)
        return JSON_HASH.sub(r"\1<hash>", text) if self.has_own_platform else text


def is_text(data):
    return b"\0" not in data[:65536]


# --- SQLite -----------------------------------------------------------------------------------

# Columns of a table that differ from run to run, or depend on such columns.
HIDDEN_COLUMNS = COST_COLUMNS | {"finished", "started", "stored", "checksum", "digest"}


def dump_of_database(data, log=None):
    """All tables, their rows sorted; None if SQLite cannot read it. `log`: the file NAME-wal."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "copy.db")
        for end, content in (("", data), ("-wal", log)):
            if content:
                with open(path + end, "wb") as file:
                    file.write(content)
        try:
            database = sqlite3.connect(path)
            database.text_factory = text_of
            return dump_of_tables(database)
        except sqlite3.Error:
            return None
        finally:
            database.close()


def dump_of_tables(database):
    lines = [f"user_version {database.execute('PRAGMA user_version').fetchone()[0]}"]
    tables = [name for name, in database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    rows = {name: rows_of(database, name) for name in tables}
    hidden = HIDDEN_COLUMNS
    if any(TEMPORARY.match(str(row.get("platform"))) for row in rows.get("points", [])):
        hidden = hidden | NAME_COLUMNS
    for name in tables:
        # Columns are in the order in which points ended.
        columns = sorted(map(str, (column[1:] for column in
                                   database.execute(f"PRAGMA table_info({quoted(name)})"))))
        lines.append(f"table {name}: " + ", ".join(columns))
        lines += sorted(row_text(row, hidden) for row in rows[name])
    return "\n".join(lines) + "\n"


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def rows_of(database, table):
    cursor = database.execute(f"SELECT * FROM {quoted(table)}")
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row)) for row in cursor]


def row_text(row, hidden):
    return "  " + ", ".join(
        f"{column}=" + ("<hidden>" if column in hidden else repr(value))
        for column, value in sorted(row.items()) if value is not None)


# --- Pages ------------------------------------------------------------------------------------

PAGE_DATA = re.compile(r'(<script type="application/json" id="data">)(.*?)(</script>)', re.DOTALL)


def mask_page(text):
    """The data of a page, one value per line, without costs."""
    def masked(match):
        try:  # numbers stay unparsed
            data = json.loads(match.group(2), parse_float=lambda number: f"~{number}")
        except ValueError:
            return match.group()
        hide_costs(data)
        return match.group(1) + json.dumps(data, indent=0, ensure_ascii=False) + match.group(3)
    return PAGE_DATA.sub(masked, text) if text.startswith("<!") else text


def hide_costs(data):
    if isinstance(data, list):
        for each in data:
            hide_costs(each)
    if not isinstance(data, dict):
        return
    if isinstance(data.get("cost"), list):  # pairs of a name and a value
        data["cost"] = [[pair[0], "<cost>"] for pair in data["cost"]]
    if {"columns", "rows"} <= data.keys():
        for at, column in enumerate(data["columns"]):
            if column in COST_COLUMNS:
                for row in data["rows"]:
                    row[at] = "<cost>"
    for each in data.values():
        hide_costs(each)
