# SPDX-License-Identifier: BSD-3-Clause
"""Reports of the program as tables."""
from __future__ import annotations

import functools
from typing import Any, Iterable, Mapping, Sequence

import pandas as pd

from ._platforms import Platform
from ._program import Error, program, run_json

# Units of columns by the end of their names.
_SUFFIXES = {"_s": "s", "_Bps": "B/s", "_bytes": "B"}
# Columns that end like a unit, but have none.
_UNITLESS = {"n_s", "n_as"}


def unit_of(column: str) -> str:
    """The unit of a column: "s", "B/s", "B", or "" for names, counts and ratios."""
    declared = _declared(str(program())).get(column)
    if declared is not None:
        return declared[0]
    if column in _UNITLESS:
        return ""
    return next((unit for end, unit in _SUFFIXES.items() if column.endswith(end)), "")


@functools.lru_cache(maxsize=4)
def _declared(sim: str) -> dict[str, tuple[str, str]]:
    """Unit and meaning of each column, by its name. Of the commands that use a name, the first:
    runs of collectives."""
    found: dict[str, tuple[str, str]] = {}
    for row in _dictionary(sim):
        unit = row["unit"] or ""
        found.setdefault(row["name"], ("" if unit == "1" else unit, row["meaning"]))
    return found


@functools.lru_cache(maxsize=4)
def _dictionary(sim: str) -> list[dict[str, Any]]:
    """The document sim.columns/1: group, name, type, unit and meaning of each column. The unit of
    counts and ratios is "1", of text null."""
    report = run_json(["help", "columns"])
    if not isinstance(report, dict) or report.get("schema") != "sim.columns/1":
        raise Error("'sim help columns' does not describe columns as sim.columns/1", sim,
                    "install the version of this package")
    return list(report["columns"])


def columns(group: str | None = None) -> pd.DataFrame:
    """The columns of all reports: group (the command that writes them), name, type (text, number,
    flag, any), unit and meaning; `sim help columns`. `group`: only those of this group."""
    table = pd.DataFrame(_dictionary(str(program())),
                         columns=["group", "name", "type", "unit", "meaning"])
    table["unit"] = table["unit"].fillna("").replace("1", "")
    return _rows_of(table, "group", group, "tutti.columns", "; ")


def _rows_of(table: pd.DataFrame, column: str, value: str | None, place: str,
             separator: str) -> pd.DataFrame:
    """The rows with this value, which must occur; all if it is None."""
    if value is None:
        return table
    known = list(dict.fromkeys(table[column]))
    if value not in known:
        raise Error(f"unknown {column} '{value}'", place,
                    f"expected one of: {separator.join(known)}")
    return table[table[column] == value].reset_index(drop=True)


def _with_numbers(table: pd.DataFrame) -> pd.DataFrame:
    """Columns of numbers and missing values as floating-point numbers."""
    for name in table.columns:
        values = table[name]
        if values.dtype != object:
            continue
        present = values.dropna()
        if all(type(each) in (int, float) for each in present) and (
                len(present) or unit_of(name)):
            table[name] = pd.to_numeric(values, errors="raise").astype(float)
    return table


def table_of(points: Sequence[Mapping[str, Any]], provenance: Mapping[str, Any],
             commands: Iterable[str]) -> pd.DataFrame:
    """A table with `attrs`: units (by column), provenance, command (one per line)."""
    table = _with_numbers(pd.DataFrame(list(points)))
    table.attrs["units"] = {name: unit_of(name) for name in table.columns if unit_of(name)}
    table.attrs["provenance"] = dict(provenance)
    table.attrs["command"] = "\n".join(commands)
    return table


def table_of_run(report: Mapping[str, Any]) -> pd.DataFrame:
    """The points of a report of `sim run`, with columns for the machine and its replaced
    parameters."""
    points = report.get("points")
    if points is None:
        points = next((value for value in report.values()
                       if isinstance(value, list) and value and isinstance(value[0], dict)), [])
    provenance = {key: value for key, value in report.items() if isinstance(value, dict)}
    if "platforms" in report:
        provenance["platforms"] = report["platforms"]
    machine = report.get("platform") or {}
    if isinstance(machine, dict) and machine:
        first = {"platform": machine.get("name"), **machine.get("overrides", {})}
        points = [{**first, **point} for point in points]
    command = report.get("tutti", {}).get("command", "")
    return table_of(points, provenance, [command])


def joined(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The rows of all tables."""
    if len(tables) == 1:
        return tables[0]
    names = dict.fromkeys(name for table in tables for name in table.columns)
    whole = _with_numbers(pd.DataFrame({
        name: [value for table in tables
               for value in (table[name].tolist() if name in table else [None] * len(table))]
        for name in names}))
    units: dict[str, str] = {}
    for table in tables:
        units.update(table.attrs.get("units", {}))
    whole.attrs = {"units": units, "provenance": tables[0].attrs.get("provenance", {}),
                   "command": "\n".join(table.attrs.get("command", "") for table in tables)}
    return whole


@functools.lru_cache(maxsize=64)
def algorithm_names(sim: str, collective: str) -> frozenset[str]:
    """Names that `--algorithm` accepts."""
    named = {each["name"] for each in run_json(["list", "algorithms"])["algorithms"]
             if each["collective"] == collective}
    return frozenset(named | {"all", "auto"})


def _list(what: str) -> pd.DataFrame:
    report = run_json(["list", what])
    table = pd.DataFrame(report[what])
    table.attrs["units"] = {name: unit_of(name) for name in table.columns if unit_of(name)}
    return table


def platforms() -> pd.DataFrame:
    """The machines of the catalog: name, hosts, cores, kind of network, description."""
    return _list("platforms")


def algorithms(collective: str | None = None) -> pd.DataFrame:
    """The algorithms of a collective, or of all: name, summary, parameters, restriction, set."""
    return _rows_of(_list("algorithms"), "collective", collective, "tutti.algorithms", ", ")


__all__ = ["Platform", "algorithm_names", "algorithms", "columns", "joined", "platforms",
           "unit_of"]
