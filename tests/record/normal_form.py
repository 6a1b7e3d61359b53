# SPDX-License-Identifier: BSD-3-Clause
"""What of a call of `sim` is the same in every run of the same program.

A mask replaces only what was seen to differ between two recordings of one program: names of
temporary folders, times of day, and what a run itself cost. Masks name the column, the key or the
sentence; no mask looks at a number alone.
"""
import hashlib
import json
import os
import re
import sqlite3
import tempfile

COST_COLUMNS = {"wall_s", "peak_rss_bytes"}
TIME = r"[\d.]+(?:e[+-]?\d+)? ?(?:ns|us|ms|s|min|h|d)"
MEMORY = r"[\d.]+ ?(?:B|KiB|MiB|GiB)"

# What a run costs, and when it was: a pattern and what takes its place.
MASKS = [(re.compile(pattern, re.MULTILINE), mask) for pattern, mask in [
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "<date>"),
    (rf"simulated in {TIME} with at most {MEMORY}", "simulated in <cost>"),
    (rf", simulated in {TIME}$", ", simulated in <cost>"),
    (r'("(?:wall_s|peak_rss_bytes)": ?)[-+.\deE]+', r"\1<cost>"),
    # A line for each tenth of a run of more than 5 s.
    (rf"^\d+ of \d+ \w+ \(\d+ %\), .*\bso far\b.*\n", ""),
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
    """The cells of a CSV line, as they are written."""
    cells, at = [], 0
    while True:
        match = CELL.match(line, at)
        cells.append(match.group(1))
        at = match.end()
        if not match.group(2):
            return cells if at == len(line) else None


def mask_columns(text):
    """CSV: the columns of costs, from a header to the next one."""
    if not any(f",{column}" in text for column in COST_COLUMNS):
        return text
    lines, hidden = text.split("\n"), []
    for i, line in enumerate(lines):
        if line.startswith("#") or "," not in line:
            continue
        cells = cells_of(line)
        if cells and COST_COLUMNS & set(cells):
            hidden = [at for at, cell in enumerate(cells) if cell in COST_COLUMNS]
        elif cells and hidden and len(cells) > hidden[-1]:
            for at in hidden:
                cells[at] = "<cost>" if cells[at] else ""
            lines[i] = ",".join(cells)
    return "\n".join(lines)


class Neutral:
    """Gives places of one call names that do not depend on the run: <source>, <tmp1>, ..."""

    def __init__(self, places):
        # Longer ones first: a build folder may lie in the source folder.
        self.places = sorted(places.items(), key=lambda place: -len(place[0]))
        self.temporary = {}

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
        text = mask_page(mask_columns(self.paths(text)))
        for pattern, mask in MASKS:
            text = pattern.sub(mask, text)
        return text


def is_text(data):
    return b"\0" not in data[:65536]


# --- SQLite -----------------------------------------------------------------------------------

# Of a table: columns that differ from run to run, or depend on such.
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
            database.text_factory = lambda each: each.decode("utf-8", "surrogateescape")
            lines = [f"user_version {database.execute('PRAGMA user_version').fetchone()[0]}"]
            tables = database.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
            for name, in tables:
                quoted = '"' + name.replace('"', '""') + '"'
                # Columns come in the order in which points ended.
                columns = sorted((row[1:] for row in
                                  database.execute(f"PRAGMA table_info({quoted})")), key=str)
                lines.append(f"table {name}: " + ", ".join(map(str, columns)))
                cursor = database.execute(f"SELECT * FROM {quoted}")
                names = [column[0] for column in cursor.description]
                lines += sorted(row_text(names, row) for row in cursor)
            database.close()
        except sqlite3.Error:
            return None
    return "\n".join(lines) + "\n"


def row_text(columns, row):
    cells = sorted((column, "<hidden>" if column in HIDDEN_COLUMNS else value)
                   for column, value in zip(columns, row) if value is not None)
    return "  " + ", ".join(f"{column}={value!r}" for column, value in cells)


# --- Pages ------------------------------------------------------------------------------------

PAGE_DATA = re.compile(r'(<script type="application/json" id="data">)(.*?)(</script>)', re.DOTALL)


def mask_page(text):
    """The data of a page, a value a line, without costs."""
    def masked(match):
        try:  # numbers stay as they are written
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
