# SPDX-License-Identifier: BSD-3-Clause
"""Finds and runs the program `sim`."""
from __future__ import annotations

import functools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any, Callable, Iterator, NamedTuple, Sequence


class Error(Exception):
    """An invalid input, a failed check, or an error of the program.

    message: what is invalid and what was expected
    place: where: an option, FILE:LINE:COLUMN, or an operation of a rank program; may be empty
    hint: the next step; may be empty
    exit_code: of the program (`sim help exit-codes`); None if it did not run
    text: all that the program reported, which may be several errors
    """

    def __init__(self, message: str, place: str = "", hint: str = "",
                 exit_code: int | None = None, text: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.hint = hint
        self.exit_code = exit_code
        self.text = text

    def __str__(self) -> str:
        if self.text:
            return self.text
        head = f"{self.place}: {self.message}" if self.place else self.message
        return f"{head}\nhelp: {self.hint}" if self.hint else head


class SimulationWarning(UserWarning):
    """A warning of the program."""


def program() -> Path:
    """The program `sim`: $TUTTI_SIM, else that of the same installation or source tree, else that
    of the search path."""
    named = os.environ.get("TUTTI_SIM")
    if named:
        if not os.access(named, os.X_OK):
            raise Error(f"'{named}' is not a program", "TUTTI_SIM",
                        "set it to the path of sim, or unset it")
        return Path(named)
    for folder in Path(__file__).resolve().parents:
        for place in ("bin/sim", "build/release/sim"):
            if os.access(folder / place, os.X_OK) and (folder / place).is_file():
                return folder / place
    found = shutil.which("sim")
    if found:
        return Path(found)
    raise Error("the program 'sim' was not found", "",
                "install the Debian package tutti, or set TUTTI_SIM to the path of sim")


class Running(NamedTuple):
    """How the program runs.

    failures_allowed: exit code 1 (points failed) with output is a warning, not an error.
    rewritten: changes what the program writes to standard error
    warns: its warnings become Python warnings. (`warnings.catch_warnings` would change the filters
        of all threads.)
    open_files: descriptors that the program inherits
    """

    failures_allowed: bool = False
    rewritten: Callable[[str], str] = str
    warns: bool = True
    open_files: Sequence[int] = ()


def run_program(arguments: Sequence[str], how: Running = Running()) -> str:
    """Standard output of `sim ARGUMENTS`. Its warnings become Python warnings, its errors `Error`.

    An interrupt (KeyboardInterrupt) ends the program as well.
    """
    command = [str(program()), *(checked_text(each) for each in arguments)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, encoding="utf-8",
                          errors="replace", pass_fds=how.open_files) as child:
        try:
            output, report = child.communicate()
        except BaseException:
            _end(child)
            raise
    code = child.returncode
    report = how.rewritten(report)
    if code != 0 and not (code == 1 and how.failures_allowed and output.strip()):
        raise _error(report, code)
    if not how.warns:
        return output
    for text in _diagnostics(report, "warning"):
        warnings.warn(text, SimulationWarning, stacklevel=_callers_level())
    if code != 0:
        for text in _diagnostics(report, "error"):
            warnings.warn(text, SimulationWarning, stacklevel=_callers_level())
    return output


def checked_text(value: Any, what: str = "") -> str:
    """The value of the argument `what` as a word of a command line."""
    if not isinstance(value, (str, os.PathLike)) or not isinstance(os.fspath(value), str):
        raise Error(f"{value!r} is not a text", what, "expected a string or a path")
    text = os.fspath(value)
    if "\0" in text:
        raise Error(f"{text!r} contains a NUL character", what)
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        raise Error(f"{text!r} cannot be encoded", what) from None
    return text


def file_name(value: Any, what: str) -> str:
    """The same for an argument that names a file."""
    name = checked_text(value, what)
    if not name:
        raise Error("the name of the file is empty", what)
    return name


def run_json(arguments: Sequence[str], how: Running = Running()) -> Any:
    """The report of `sim ARGUMENTS --format json`."""
    output = run_program([*arguments, "--format", "json"], how)
    try:
        return json.loads(output)
    except json.JSONDecodeError as error:
        raise Error(f"the output of 'sim {' '.join(arguments)}' is not JSON: {error}", "",
                    "this command has other formats only: run it with tutti.text()") from None


def text(*arguments: str) -> str:
    """Standard output of `sim ARGUMENTS`, for commands without a function in this package."""
    return run_program([checked_text(each, "tutti.text") for each in arguments])


@functools.lru_cache(maxsize=64)
def options_of(sim: str, *command: str) -> frozenset[str]:
    """The options of a command, as its help lists them, as keywords."""
    words = re.findall(r"--([a-z][a-z0-9-]*)", run_program([*command, "--help"]))
    return frozenset(word.replace("-", "_") for word in words)


def _end(child: subprocess.Popen[str]) -> None:
    if child.poll() is None:
        child.send_signal(signal.SIGINT)
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()


def line_of_file(file: str, line: int | None) -> str:
    """FILE:LINE; files of notebooks have a number in place of a name."""
    path = Path(file)
    if path.parent.name.startswith("ipykernel_") or file.startswith("<ipython-input"):
        return f"line {line} of its cell"
    return f"{path.name}:{line}"


def _callers_level() -> int:
    """How many frames up the first one outside this package is, for `warnings.warn`."""
    folder = str(Path(__file__).parent)
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(folder):
        level, frame = level + 1, frame.f_back
    return level


# "sim: error: --set: unknown key", "study.toml:3:1: error: unknown key"
_HEAD = re.compile(r"^(?P<where>\S.*?): (?P<kind>error|warning): (?P<message>.*)$")


def _blocks(report: str) -> Iterator[tuple[str, str, str, list[str]]]:
    """Place, kind, message, and following lines of each diagnostic."""
    block: tuple[str, str, str, list[str]] | None = None
    for line in report.splitlines():
        head = _HEAD.match(line)
        if head:
            if block:
                yield block
            where = "" if head["where"] == "sim" else head["where"]
            block = (where, head["kind"], head["message"], [])
        elif block and re.match(r"( |help: )", line):
            block[3].append(line)
        elif block:
            yield block
            block = None
    if block:
        yield block


def _diagnostics(report: str, kind: str) -> list[str]:
    return ["\n".join([f"{where}: {message}" if where else message, *more])
            for where, of_kind, message, more in _blocks(report) if of_kind == kind]


def _error(report: str, code: int) -> Error:
    for place, kind, message, more in _blocks(report):
        if kind != "error":
            continue
        option = re.match(r"(--?[\w-]+): (.*)", message)
        if not place and option:
            place, message = option[1], option[2]
        hint = next((line[6:] for line in more if line.startswith("help: ")), "")
        return Error(message, place, hint, code, "\n\n".join(_diagnostics(report, "error")))
    if code < 0:
        return Error(f"sim was ended by signal {signal.Signals(-code).name}", exit_code=code,
                     hint="a lack of memory ends programs with SIGKILL" if code == -9 else "")
    return Error(report.strip() or f"sim ended with exit code {code}", exit_code=code)
