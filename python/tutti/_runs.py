# SPDX-License-Identifier: BSD-3-Clause
"""`sim run`, with rank programs of Python among the algorithms."""
from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import tempfile
import warnings
from pathlib import Path
from typing import Any, Generator, Iterable, Iterator, Mapping, Sequence

import pandas as pd

from ._memory import ROOTED, Call
from ._options import arguments, in_bytes, is_list, listed, normalized, whole_number
from ._places import Places
from ._platforms import Platform
from ._program import (Error, Running, SimulationWarning, _callers_level, checked_text, file_name,
                       options_of, run_json)
from ._program import program as sim_program
from ._rank import Rank
from ._schedules import Algorithm, NotApplicable, Schedule
from ._tables import algorithm_names, joined, table_of, table_of_run

# Schedules are written, simulated and removed in portions of about this size.
_PORTION_BYTES = 512 << 20
# Options on which the points of a rank program depend.
_PLANNED = ("platform", "set", "procs", "message_size", "element_bytes", "root", "ppn", "map",
            "nodes", "allocation", "oversubscribe", "force")


def run(workload: str, **options: Any) -> pd.DataFrame:
    """Simulates and returns one row per point: `sim run WORKLOAD --OPTION VALUE ...`.

        tutti.run("allreduce", platform="leonardo", procs=[64, 1024], algorithm="all",
                  message_size="1KiB:1MiB")

    Keywords are the options of the program, with `_` for `-`; True is a flag, a list is written
    with commas, a dictionary repeats the option (`set={"mpi/eager_limit": "64KiB"}`). `platform`
    is a name, a `Platform`, or a list of them; `algorithm` a name of the program, a rank program
    (`@tutti.algorithm`), or a list of them. A rank program with the name of an algorithm of the
    program is NAME (Python) in the table.

    Columns are those of the program (`tutti.columns()`), in SI units; `attrs` of the table has
    units (by column), provenance and command. Options that the program rejects raise `Error`.
    """
    workload = checked_text(workload, "workload")
    given = normalized(options, lambda: options_of(str(sim_program()), "run", workload))
    _require_distinct(given.get("algorithm"))
    machines = _machines(given.get("platform"))
    tables = []
    for machine in machines:
        chosen = dict(given) if machine is None else {**given, "platform": machine}
        tables += list(_tables(workload, chosen))
    return joined(tables)


def schedule(path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
             **options: Any) -> pd.DataFrame:
    """Simulates a schedule file, or each file of a list (GOAL text, also of other programs), and
    returns one row per point: `sim run schedule FILE --OPTION VALUE ...`."""
    files = [file_name(each, "path") for each in (listed(path, "path") if is_list(path)
                                                  else [path])]
    if not files:
        raise Error("the list is empty", "path", "expected at least one file")
    words = arguments(normalized(options, lambda: options_of(str(sim_program()), "run",
                                                             "schedule")))
    return joined([table_of_run(run_json(["run", "schedule", each, *words],
                                         Running(failures_allowed=True))) for each in files])


def compare(a: pd.DataFrame | str | os.PathLike[str], b: pd.DataFrame | str | os.PathLike[str],
            **options: Any) -> pd.DataFrame:
    """Matches the points of two tables or files and returns their ratios B/A: `sim compare A B`.
    Files: stores, CSV, JSON, outputs of the OSU and Intel MPI benchmarks and of ReproMPI. `attrs`
    of the table has geometric_mean and median of the ratios."""
    given = normalized(options, lambda: options_of(str(sim_program()), "compare"))
    with tempfile.TemporaryDirectory(prefix="tutti-") as folder:
        files = [_as_file(each, Path(folder) / f"{name}.json", name) for each, name in ((a, "a"),
                                                                                       (b, "b"))]
        report = run_json(["compare", *files, *arguments(given)], Running(failures_allowed=True))
    table = table_of(report["points"], {key: report[key] for key in ("a", "b") if key in report},
                     ["sim compare A B"])
    for key in ("value", "geometric_mean", "median"):
        table.attrs[key] = report.get(key)
    return table


def prove(program: Algorithm, procs: int | Iterable[int],
          message_size: int | str | Iterable[int | str] | None, element_bytes: int | str,
          root: int | Iterable[int] | None, platform: Any,
          options: Mapping[str, Any]) -> pd.DataFrame:
    """See `Algorithm.prove`."""
    _require_checked_results(str(sim_program()))
    more = dict(options)
    if more.pop("commutative", True) is False:
        more["non_commutative"] = True
    if message_size is None:
        element = in_bytes(element_bytes, "element_bytes")
        message_size = [element, 13 * element, 256 * element]
    if program.collective == "barrier":
        message_size = None
    tables: list[pd.DataFrame] = []
    counts = [whole_number("procs", each, f"{program.name}.prove")
              for each in (listed(procs, "procs") if is_list(procs) else [procs])]
    for count in counts:
        for each in _roots(program, count, root):
            if each is not None:
                more["root"] = each
            try:
                tables.append(run(program.collective, algorithm=program, procs=count,
                                  message_size=message_size, element_bytes=element_bytes,
                                  platform=platform, engine="ideal", **more))
                _require_verified(tables[-1], program)
            except Error as error:
                where = f"{program.name} with {count} ranks"
                if each is not None:
                    where += f", root {each}"
                error.add_note(f"not proven: {where}")
                raise
    tables = [table for table in tables if len(table)]
    if not tables:
        shown = ", ".join(map(str, counts[:10])) + (", ..." if len(counts) > 10 else "")
        raise Error("nothing to prove: the program is not applicable to any of the calls",
                    program.name, f"procs of this proof: {shown}; warnings have the reasons")
    whole = joined(tables)
    columns = ["procs", "root", "message_bytes", "element_bytes", "messages", "wire_bytes"]
    attrs = whole.attrs
    proven = whole[[name for name in columns if name in whole]].reset_index(drop=True)
    proven = proven.dropna(axis="columns", how="all")
    proven.attrs = attrs
    return proven


def _require_verified(table: pd.DataFrame, program: Algorithm) -> None:
    """The program omits the verification above its limits, and for timed benchmarks."""
    if program.collective == "barrier" or table.empty:
        return
    if "data_verified" not in table:
        raise Error("this version of the program does not verify data", str(sim_program()),
                    "install the version of this package")
    for _, row in table[~table["data_verified"].isin([True])].iterrows():
        raise Error(f"not verified: too many contributions to compare ({row['procs']} ranks, "
                    f"{row['message_bytes']} B)", program.name,
                    "the limit is 1,024 ranks if each receives data of all; no benchmark=")


@functools.lru_cache(maxsize=4)
def _require_checked_results(sim: str) -> None:
    """A program that accepts a wrong result cannot prove: an allreduce without messages."""
    wrong = Algorithm(_without_messages, "allreduce", "without messages")
    try:
        run("allreduce", algorithm=wrong, procs=2, message_size=8, element_bytes=4,
            platform="crill", engine="ideal")
    except Error as error:
        if error.exit_code != 2:  # not an invalid option
            return
        raise
    raise Error("this version of the program does not check the results of schedules", sim,
                "install the version of this package")


def _without_messages(me: Rank, call: Call) -> Generator[Any, Any, None]:
    yield me.copy(me.recvbuf, me.sendbuf)


def _roots(program: Algorithm, procs: int,
           root: int | Iterable[int] | None) -> Sequence[int | None]:
    if program.collective not in ROOTED:
        return [None]
    if root is None:
        return sorted({0, procs - 1})
    return [whole_number("root", each)
            for each in (listed(root, "root") if is_list(root) else [root])]


def _as_file(table: pd.DataFrame | str | os.PathLike[str], file: Path, what: str) -> str:
    if not isinstance(table, pd.DataFrame):
        return file_name(table, what)
    points = json.loads(table.to_json(orient="records"))
    rows = [{key: int(value) if isinstance(value, float) and value.is_integer()
             and not key.endswith("_s") else value for key, value in point.items()}
            for point in points]
    file.write_text(json.dumps({"schema": "sim.result/1", "points": rows}))
    return str(file)


def _machines(platform: Any) -> list[Any]:
    """Machines that need calls of their own: those with replaced parameters."""
    if platform is None:
        return [None]
    if not is_list(platform):
        return [platform]
    machines = list(platform)
    if any(isinstance(each, Platform) and each.overrides for each in machines):
        return machines
    return [",".join(each.name if isinstance(each, Platform) else checked_text(each, "platform")
                     for each in machines)]


def _tables(workload: str, options: dict[str, Any]) -> Iterator[pd.DataFrame]:
    """One table for each rank program, and one for each sequence of names between them."""
    chosen = options.get("algorithm")
    programs = list(chosen) if is_list(chosen) else [chosen]
    if not any(isinstance(each, Algorithm) for each in programs):
        yield _run_program(workload, options)
        return
    names: list[Any] = []
    for each in [*programs, None]:
        if each is not None and not isinstance(each, Algorithm):
            names.append(each)
            continue
        if names:
            yield _run_program(workload, {**options, "algorithm": names})
            names = []
        if each is not None:
            yield _run_rank_program(each, workload, options)


def _require_distinct(chosen: Any) -> None:
    seen: set[str] = set()
    for each in chosen if is_list(chosen) else []:
        if not isinstance(each, Algorithm):
            continue
        if each.name in seen:
            raise Error(f"two rank programs are named '{each.name}'", "algorithm",
                        f"@tutti.algorithm(\"{each.collective}\", name=...)")
        seen.add(each.name)


def _shown_name(program: Algorithm) -> str:
    if program.name in algorithm_names(str(sim_program()), program.collective):
        return f"{program.name} (Python)"
    return program.name


def _run_program(workload: str, options: Mapping[str, Any],
                 how: Running = Running()) -> pd.DataFrame:
    # A point that fails on the engine `ideal` is one whose result is wrong.
    is_check = options.get("engine") == "ideal"
    report = run_json(["run", workload, *arguments(options)],
                      how._replace(failures_allowed=not is_check))
    return table_of_run(report)


Point = tuple[int, int, int, int]  # procs, root, message_bytes, element_bytes


def _points(workload: str, options: Mapping[str, Any]) -> list[Point]:
    """The points, as the program reads the axes of the options."""
    planned = {key: options[key] for key in _PLANNED if key in options}
    report = run_json(["run", workload, *arguments(planned), "--model-only"],
                      Running(warns=False))
    points = [(point["procs"], point.get("root") or 0, point.get("message_bytes") or 0,
               point.get("element_bytes") or 1) for point in report["points"]]
    return list(dict.fromkeys(points))


def _run_rank_program(program: Algorithm, workload: str,
                      options: Mapping[str, Any]) -> pd.DataFrame:
    if workload != program.collective:
        raise Error(f"'{program.name}' is a rank program of {program.collective}, not of "
                    f"{workload}", "algorithm", f"tutti.run(\"{program.collective}\", ...)")
    tables: list[pd.DataFrame] = []
    with tempfile.TemporaryDirectory(prefix="tutti-") as folder:
        portion: list[Point] = []
        written = 0
        for point in _points(workload, options):
            procs, root, size, element = point
            file = Path(folder) / f"{procs}-{root}-{size}.goal"
            try:
                program.schedule(procs, size, element, root).write(file, requires=False)
            except NotApplicable as reason:
                warnings.warn(f"{program.name} is omitted for {procs} processes, {size} B: "
                              f"{reason}", SimulationWarning, stacklevel=_callers_level())
                continue
            portion.append(point)
            written += file.stat().st_size
            if written > _PORTION_BYTES:
                tables += _simulated(program, folder, portion, options)
                portion, written = [], 0
        tables += _simulated(program, folder, portion, options)
    return joined(tables) if tables else pd.DataFrame()


def _simulated(program: Algorithm, folder: str, points: Sequence[Point],
               options: Mapping[str, Any]) -> Iterator[pd.DataFrame]:
    """Simulates schedules and removes them; calls with the same sizes together."""
    sizes: dict[tuple[int, int], list[int]] = {}  # by procs and root
    for procs, root, size, _ in points:
        sizes.setdefault((procs, root), []).append(size)
    together: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    for (procs, root), each in sizes.items():
        together.setdefault((root, tuple(each)), []).append(procs)
    elements = {point[:3]: point[3] for point in points}

    def schedule_of(file: str) -> Schedule:
        procs, root, size = map(int, file.removesuffix(".goal").split("-"))
        return program.schedule(procs, size, elements[procs, root, size], root)
    for (root, each), counts in together.items():
        with _plain_name(folder) as (name, open_files):
            files = f"{name}/{{procs}}-{root}-{{message_bytes}}.goal"
            chosen = {**options, "procs": counts, "algorithm": f"goal:{files}"}
            if program.collective != "barrier":
                chosen["message_size"] = each
            if "root" in options:
                chosen["root"] = root
            places = Places(program.name, name, schedule_of)
            yield _named(_run_program(program.collective, chosen,
                                      Running(rewritten=places.rewritten, open_files=open_files)),
                         _shown_name(program))
    for procs, root, size, _ in points:
        (Path(folder) / f"{procs}-{root}-{size}.goal").unlink()


@contextlib.contextmanager
def _plain_name(folder: str) -> Iterator[tuple[str, Sequence[int]]]:
    """A name of the folder for lists of algorithms, in which some characters have a meaning, and
    the descriptors that the program needs for it."""
    if re.fullmatch(r"[\w./+-]+", folder, re.ASCII):
        yield folder, ()
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}", (descriptor,)
    finally:
        os.close(descriptor)


def _named(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """With the name of the program in place of its file."""
    for column in ("algorithm", "requested_algorithm"):
        if column in table:
            table[column] = name
    return table
