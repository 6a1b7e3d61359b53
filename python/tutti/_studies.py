# SPDX-License-Identifier: BSD-3-Clause
"""Studies (`sim sweep`) and their stores."""
from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Iterable, Mapping

import pandas as pd

from ._options import arguments, is_list, normalized
from ._platforms import Platform
from ._program import Error, Running, file_name, options_of, program, run_json, run_program
from ._schedules import Algorithm
from ._tables import table_of

# Options of `sim sweep`; all other keywords are keys of a study.
_SWEEP_OPTIONS = {"store", "override", "where", "rerun", "shard", "also_in", "jobs", "timeout",
                  "memory_limit"}


def sweep(study: str | os.PathLike[str] | Mapping[str, Any] | None = None,
          **keywords: Any) -> pd.DataFrame:
    """Runs the points of a study that are not in its store yet, and returns all its points.

        tutti.sweep("study.toml", where="procs <= 1024")
        tutti.sweep({"base": {...}, "matrix": {...}}, store="study.db")
        tutti.sweep(workload="bcast", platform="crill", procs=[64, 128],
                    algorithm=["binomial", "chain"], store="study.db")

    `study`: a file, or its tables as a dictionary. Without it, keywords are keys of the study, with
    values, lists or ranges ("1KiB:1MiB"); `set={"mpi/eager_limit": [...]}` varies parameters of
    the platform. The other keywords are options of `sim sweep` (store, where, jobs,
    timeout, memory_limit, override, rerun). A study without a file and a store leaves no file.

    An interrupted sweep may be called again: finished points are in the store. Failed points are
    warned of; their rows have status "failed" and an error.
    """
    workload = keywords.get("workload")
    given = normalized(keywords, lambda: _known(study, workload))
    options = {key: value for key, value in given.items() if key in _SWEEP_OPTIONS}
    keys = {key: value for key, value in given.items() if key not in _SWEEP_OPTIONS}
    if study is None:
        if not keys:
            raise Error("no study", "tutti.sweep", "expected a file, a dictionary, or keywords")
        study = _study_of(keys)
    elif keys:
        raise Error(f"unknown keyword '{next(iter(keys))}'", "tutti.sweep",
                    f"expected one of: {', '.join(sorted(_SWEEP_OPTIONS))}")
    if not isinstance(study, Mapping):
        return _swept(Path(file_name(study, "study")), options)
    with tempfile.TemporaryDirectory(prefix="tutti-") as folder:
        name = Path(file_name(options.get("store", "study"), "store")).stem
        file = Path(folder) / f"{name}.toml"
        file.write_text(to_toml(study), encoding="utf-8")
        return _swept(file, options)


def open(store: str | os.PathLike[str]) -> pd.DataFrame:  # pylint: disable=redefined-builtin
    """The points of a store of `sim sweep`, with status ("done", "failed") and error."""
    if not Path(file_name(store, "store")).exists():
        raise Error("no such store", str(store), "stores are written by tutti.sweep(..., store=)")
    report = run_json(["export", str(store)])
    info = run_json(["store", "info", str(store)])
    commands = [study["command"] for study in info.get("studies", [])]
    return table_of(report["points"], info, commands)


def _swept(file: Path, options: Mapping[str, Any]) -> pd.DataFrame:
    store = Path(file_name(options.get("store", file.with_suffix(".db")), "store"))
    run_program(["sweep", str(file), *arguments(options)], Running(failures_allowed=True))
    return open(store)


def _known(study: Any, workload: Any) -> frozenset[str]:
    """Keywords of `sweep`: its options, and those of the workload unless there is a study."""
    if study is not None or not isinstance(workload, str):
        return frozenset(_SWEEP_OPTIONS | {"workload"})
    return options_of(str(program()), "run", workload) | _SWEEP_OPTIONS | {"workload"}


def _study_of(keys: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    study: dict[str, dict[str, Any]] = {"base": {}, "matrix": {}}
    flat = dict(keys)
    machine = flat.get("platform")
    if isinstance(machine, Platform):
        flat["platform"] = machine.name
        flat["set"] = {**machine.overrides, **flat.get("set", {})}
    for key, value in [*flat.items(), *flat.pop("set", {}).items()]:
        if key == "workload" or isinstance(value, bool):
            study["base"][key] = value
        elif key != "set":
            study["matrix"][key] = list(value) if is_list(value) else value
    return study


def to_toml(study: Mapping[str, Any]) -> str:
    """A dictionary of tables as TOML."""
    lines: list[str] = []
    _write_table(study, [], lines)
    return "\n".join(lines) + "\n"


def _write_table(table: Mapping[str, Any], path: list[str], lines: list[str]) -> None:
    if path:
        lines.append(f"[{'.'.join(map(_key, path))}]")
    for key, value in table.items():
        if not isinstance(value, Mapping) and not _is_tables(value):
            lines.append(f"{_key(key)} = {_value(value)}")
    for key, value in table.items():
        if isinstance(value, Mapping):
            _write_table(value, [*path, key], lines)
        elif _is_tables(value):
            for each in value:
                lines.append(f"[[{'.'.join(map(_key, [*path, key]))}]]")
                lines += [f"{_key(k)} = {_value(v)}" for k, v in each.items()]


def _is_tables(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], Mapping)


def _key(key: str) -> str:
    bare = key.replace("_", "").replace("-", "")
    return key if bare.isalnum() and bare.isascii() else json.dumps(key, ensure_ascii=False)


def _value(value: Any) -> str:
    if isinstance(value, Algorithm):
        raise Error(f"'{value.name}' is a rank program; studies have names only",
                    "tutti.sweep", "use tutti.run, or write schedules and name them: goal:FILE")
    if isinstance(value, Platform):
        if value.overrides:
            raise Error(f"'{value}' in a list of a study", "tutti.sweep",
                        "vary parameters by set={KEY: [VALUE, ...]}")
        return json.dumps(value.name)
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "item"):  # of numpy
        value = value.item()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, os.PathLike):
        return json.dumps(str(value), ensure_ascii=False)
    if isinstance(value, Iterable):
        return "[" + ", ".join(_value(each) for each in value) + "]"
    raise Error(f"unexpected value {value!r} in a study", "tutti.sweep")
