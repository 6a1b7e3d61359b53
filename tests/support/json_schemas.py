# SPDX-License-Identifier: BSD-3-Clause
"""Checks documents of sim against its JSON Schemas and its dictionary of columns.

json_schemas.py [--update] SCHEMAS DOCUMENTS validates DOCUMENTS/*.json with SCHEMAS/NAME.json,
where the document's schema is "sim.NAME/1". --update writes the schemas first: the members of these
documents, with the types of columns from the dictionary (DOCUMENTS/columns.json).
"""
import copy
import fnmatch
import json
import pathlib
import sys

import jsonschema

# Objects whose members have names of the user's or of the machine: paths, in which "*" is any
# member or item.
OPEN = ["platform.overrides", "platforms.*.overrides", "?.differs", "sets.*.parameters",
        "sets.*.about", "messages", "model_versions", "platforms", "*.spent"]
# Documents whose points, or tables, have columns with such names.
OPEN_POINTS = ["sim.tune/2", "sim.study/1", "sim.compare/1"]
OPEN_TABLES = ["sim.tune.hints/1"]
ENUMS = {"engine": ["simgrid", "flow", "ideal", "model"],
         "contention": ["on", "off", "private", "pooled"],
         "as": ["plain", "name", "decimals", "fine", "significant", "us", "ms", "ns/B", "bytes",
                "percent", "signed percent", "rate", "time", "by size", "below"]}
TYPES = {"text": ["string"], "flag": ["boolean"], "number": ["number"],
         "any": ["string", "boolean", "number"]}
# Not required, even if all documents have it.
OPTIONAL = ["platform", "platforms", "failed", "group_by", "critical_path"]
ROWS = ["points", "tables.*.rows"]


class Dictionary:
    def __init__(self, document):
        self.rows = document["columns"]
        self.used = set()

    def rows_of(self, name, document):
        """The rows of a column of a document: of its command, or else of reports and records."""
        first, second = (document.split("/")[0].split(".") + [""])[1:3]
        first = {"result": "run", "study": "run"}.get(first, first)
        second = {"jobs": "FILE"}.get(second, second)
        groups = [lambda group: f"sim {first} {second.split('-')[0]}" in group.split(", "),
                  lambda group: f"sim {first}" in group.split(", "),
                  lambda group: group.startswith(("Reports of", "sim run "))]
        for is_name in (str.__eq__, lambda a, b: "*" in a and fnmatch.fnmatchcase(b, a)):
            for is_group in groups:
                found = [row for row in self.rows
                         if is_group(row["group"]) and is_name(row["name"], name)]
                if found:
                    return found
        return []

    def schema(self, name, document):
        rows = self.rows_of(name, document)
        types = sorted({kind for row in rows for kind in TYPES[row["type"]]}) + ["null"]
        if name in ENUMS:
            return {"enum": ENUMS[name] + [None]}
        return {"type": types} if rows else {}


def type_of(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    names = {int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return names[type(value)]


def matches(path, patterns):
    return any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns)


class Shape:
    """The schema of the documents of one name."""

    def __init__(self, name, dictionary, head=None):
        self.name = name
        self.dictionary = dictionary
        self.head = head

    def of(self, values, path=""):
        kinds = {type_of(value) for value in values}
        if "number" in kinds:
            kinds.discard("integer")
        schema = {"type": sorted(kinds) if len(kinds) > 1 else next(iter(kinds), "null")}
        objects = [value for value in values if isinstance(value, dict)]
        if objects:
            schema.update(self.of_objects(objects, path))
        lists = [value for value in values if isinstance(value, list)]
        if lists and path == "tables":
            schema["items"] = self.of_tables([each for value in lists for each in value])
        elif any(lists):
            schema["items"] = self.of([each for value in lists for each in value], path + ".*")
        return schema

    def of_objects(self, objects, path):
        if matches(path, OPEN):
            return {}
        names = list(dict.fromkeys(name for each in objects for name in each))
        is_row = path.rsplit(".", 1)[0] in ROWS
        members = {}
        for name in names:
            values = [each[name] for each in objects if name in each]
            scalar = not any(isinstance(value, (dict, list)) for value in values)
            if path == "" and name == "schema":
                members[name] = {"const": self.name}
            elif is_row and scalar:
                members[name] = self.of_column(name, path)
            elif scalar and name in ENUMS:
                members[name] = {"enum": ENUMS[name]}
            else:
                members[name] = self.of(values, f"{path}.{name}".lstrip("."))
        if path == "" and self.head and "tutti" in members:
            members.update(self.head)
        made = {"properties": members, "required": [
            name for name in names
            if name not in OPTIONAL and all(name in each for each in objects)]}
        open_rows = OPEN_POINTS if path == "points.*" else OPEN_TABLES
        if not is_row or self.name not in open_rows:
            made["additionalProperties"] = False
        return made

    def of_column(self, name, path):
        if self.name in OPEN_POINTS and path == "points.*" and not name.endswith("_s"):
            return {"type": ["string", "boolean", "number", "null"]}
        return self.dictionary.schema(name, self.name)

    def of_tables(self, tables):
        """A table's name determines the columns of its rows."""
        if not tables:
            return {"type": "object"}
        names = list(dict.fromkeys(table["name"] for table in tables))
        outside = [{key: value for key, value in table.items() if key != "rows"}
                   for table in tables]
        schema = self.of(outside, "tables.*")
        schema["properties"]["rows"] = {"type": "array"}
        schema["required"].append("rows")
        schema["allOf"] = []
        for name in names:
            # A table without rows has columns, too.
            rows = [row for table in tables if table["name"] == name
                    for row in table["rows"] + [dict.fromkeys(table["columns"])]]
            schema["allOf"].append({
                "if": {"properties": {"name": {"const": name}}},
                "then": {"properties": {"rows": {"items": self.of(rows, "tables.*.rows.*")}}}})
        return schema


def file_of(schemas, name):
    return schemas / (name.removeprefix("sim.").rsplit("/", 1)[0] + ".json")


def text_of(schema):
    """One member or column per line."""
    flat = json.JSONEncoder(ensure_ascii=False)

    def lines(value, indent):
        short = flat.encode(value)
        if not isinstance(value, dict) or len(short) + indent < 90:
            return short
        inner = [f'{" " * (indent + 1)}{flat.encode(key)}: {lines(each, indent + 1)}'
                 for key, each in value.items()]
        return "{\n" + ",\n".join(inner) + "\n" + " " * indent + "}"

    return lines(schema, 0) + "\n"


def update(schemas, by_name, dictionary):
    for old in schemas.glob("*.json"):
        old.unlink()
    everything = [each for documents in by_name.values() for each in documents]
    platforms = [each["platform"] for each in everything
                 if "tutti" in each and "platform" in each]
    platform = Shape("", dictionary).of(platforms, "platform")
    head = {"platform": platform, "platforms": {"type": "array", "items": platform},
            "failed": {"type": "array", "items": {"type": "string"}}}
    for name, documents in by_name.items():
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name}
        schema.update(Shape(name, dictionary, head).of(documents))
        file_of(schemas, name).write_text(text_of(schema))


def rows_in(document):
    """The rows of a document's points and tables."""
    yield from document.get("points", []) if isinstance(document.get("points"), list) else []
    for table in document.get("tables", []):
        yield from table["rows"]
        yield dict.fromkeys(table["columns"])


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
    if "tutti" in document and document.get("points"):
        for name in ("procs", "time_s", "collective"):
            if name in document["points"][0]:
                changed = copy.deepcopy(document)
                changed["points"][0][name] = []
                yield f"{name} = []", changed


def main():
    arguments = [each for each in sys.argv[1:] if each]
    is_update = arguments[0] == "--update"
    schemas, folder = map(pathlib.Path, arguments[-2:])
    documents = {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}
    dictionary = Dictionary(documents["columns"])
    by_name = {}
    for document in documents.values():
        by_name.setdefault(document["schema"], []).append(document)
    if is_update:
        update(schemas, by_name, dictionary)
    problems = []
    for stem, document in documents.items():
        path = file_of(schemas, document["schema"])
        if not path.exists():
            problems.append(f"{stem}: no schema {path.name}")
            continue
        schema = json.loads(path.read_text())
        validator = jsonschema.Draft202012Validator(schema)
        validator.check_schema(schema)
        for error in list(validator.iter_errors(document))[:5]:
            problems.append(f"{stem}: {error.json_path}: {error.message[:200]}")
        for what, changed in mutations(document):
            if validator.is_valid(changed):
                problems.append(f"{stem}: {what} is accepted")
        if document["schema"] in OPEN_POINTS + OPEN_TABLES:
            for row in rows_in(document):
                dictionary.used.update(row)
            continue
        for name in dict.fromkeys(name for row in rows_in(document) for name in row):
            rows = dictionary.rows_of(name, document["schema"])
            if not rows and name != "critical_path":
                problems.append(f"{stem}: column {name} is not in the dictionary")
            dictionary.used.update(row["name"] for row in rows)
    for path in folder.glob("*.csv"):
        dictionary.used.update(path.read_text().split("\n", 1)[0].split(","))
    unused = {path.name for path in schemas.glob("*.json")} - {
        file_of(schemas, name).name for name in by_name}
    problems += [f"{name}: no document has this schema" for name in sorted(unused)]
    listed = json.dumps([d for d in documents.values() if "tutti" not in d])
    for row in dictionary.rows:
        last = row["name"].rstrip("[]").rsplit(".", 1)[-1]
        if row["name"] not in dictionary.used and f'"{last}":' not in listed:
            problems.append(f"no document has the column {row['name']} ({row['group']})")
    print("\n".join(problems) or f"{len(documents)} documents satisfy {len(by_name)} schemas")
    return 1 if problems else 0


sys.exit(main())
