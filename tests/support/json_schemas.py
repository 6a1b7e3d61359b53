# SPDX-License-Identifier: BSD-3-Clause
"""Checks documents of sim against its JSON Schemas and its dictionary of columns.

json_schemas.py SCHEMAS DOCUMENTS validates DOCUMENTS/*.json with SCHEMAS/NAME.json, where the
document's schema is "sim.NAME/1". The dictionary is DOCUMENTS/columns.json.
"""
import copy
import fnmatch
import json
import pathlib
import sys

import jsonschema

# Documents whose rows have columns with names of the user's.
OPEN = ["sim.tune/2", "sim.tune.hints/1"]


def file_of(schemas, name):
    return schemas / (name.removeprefix("sim.").rsplit("/", 1)[0] + ".json")


def rows_in(document):
    """The rows of a document's points and tables."""
    yield from document.get("points", []) if isinstance(document.get("points"), list) else []
    for table in document.get("tables", []):
        yield from table["rows"]


def mutations(document):
    """Documents that the schema must reject."""
    changed = copy.deepcopy(document)
    changed["schema"] += "x"
    yield "another schema", changed
    changed = copy.deepcopy(document)
    changed["unknown_member"] = 1
    yield "an unknown member", changed
    for member in document:
        if member in ("tutti", "points", "columns", "routes", "hash"):
            changed = copy.deepcopy(document)
            del changed[member]
            yield f"no {member}", changed
    for rows in [document.get("points", [])] + [
            table["rows"] for table in document.get("tables", [])]:
        if "tutti" in document and rows and document["schema"] not in OPEN:
            rows[0]["undeclared_column"] = 1
            yield "an undeclared column", copy.deepcopy(document)
            del rows[0]["undeclared_column"]
    if "tutti" in document and document.get("points"):
        for name in ("procs", "time_s", "collective"):
            if name in document["points"][0]:
                changed = copy.deepcopy(document)
                changed["points"][0][name] = []
                yield f"{name} = []", changed


def main():
    schemas, folder = map(pathlib.Path, sys.argv[1:])
    documents = {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}
    problems = []
    used = set()
    for stem, document in documents.items():
        path = file_of(schemas, document["schema"])
        if not path.exists():
            problems.append(f"{stem}: no schema {path.name}")
            continue
        schema = json.loads(path.read_text())
        validator = jsonschema.Draft202012Validator(schema)
        validator.check_schema(schema)
        for table in document.get("tables", []):  # a table without rows has columns, too
            table["rows"].append(dict.fromkeys(table["columns"]))
        for error in list(validator.iter_errors(document))[:5]:
            problems.append(f"{stem}: {error.json_path}: {error.message[:200]}")
        for what, changed in mutations(document):
            if validator.is_valid(changed):
                problems.append(f"{stem}: {what} is accepted")
        for row in rows_in(document):
            used.update(row)
    for path in folder.glob("*.csv"):
        used.update(path.read_text().split("\n", 1)[0].split(","))
    unused = {path.name for path in schemas.glob("*.json")} - {
        file_of(schemas, document["schema"]).name for document in documents.values()}
    problems += [f"{name}: no document has this schema" for name in sorted(unused)]
    listed = json.dumps([d for d in documents.values() if "tutti" not in d])
    for row in documents["columns"]["columns"]:
        last = row["name"].rstrip("[]").rsplit(".", 1)[-1]
        if not fnmatch.filter(used, row["name"]) and f'"{last}":' not in listed:
            problems.append(f"no document has the column {row['name']} ({row['group']})")
    print("\n".join(problems) or f"{len(documents)} documents satisfy their schemas")
    return 1 if problems else 0


sys.exit(main())
