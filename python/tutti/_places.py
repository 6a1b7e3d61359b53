# SPDX-License-Identifier: BSD-3-Clause
"""Errors of the program about recorded files, with the places of the rank programs."""
from __future__ import annotations

import re
from pathlib import Path
from typing import Callable

from ._schedules import Schedule

# A report of more errors ends with their number.
_MOST_ERRORS = 4

_IN_FILE = re.compile(r"(?P<file>[^\s:]+\.goal):(?P<line>\d+)(?P<column>:\d+)?: "
                      r"(?P<kind>error|warning): (?P<message>.*)")
_DEADLOCK = re.compile(r"deadlock: rank (?P<rank>\d+) waits for the request of line (?P<line>\d+) "
                       r"\((?P<what>send|recv) (?P<bytes>\d+)b (?:to|from) (?P<peer>\d+)"
                       r"(?: tag (?P<tag>\d+))?.*\)")


class Places:
    """Rewrites reports about the files of one rank program in a folder."""

    def __init__(self, name: str, folder: str, schedule_of: Callable[[str], Schedule]) -> None:
        self._name = name
        self._folder = folder
        self._schedule_of = schedule_of  # by the name of a file

    def rewritten(self, report: str) -> str:
        """Places are operations of rank programs, and the algorithm has its name."""
        kept: list[str] = []
        errors = 0
        skips = deadlock = False
        last = 0  # the first line of the last error that is kept
        for line in report.splitlines():
            head = re.match(r"\S.*?: (error|warning): ", line)
            if head:
                errors += head[1] == "error"
                skips = head[1] == "error" and errors > _MOST_ERRORS
                if head[1] == "error" and not skips:
                    last = len(kept)
                deadlock = ": error: deadlock: " in line
            if skips:
                continue
            kept.append(self._line(line))
            if deadlock and line.startswith("help: "):
                kept[-1] = ("help: all wait for each other: post irecv before send, or use "
                            "sendrecv")
        if errors > _MOST_ERRORS:
            kept[last] += f" ({errors - _MOST_ERRORS} more errors)"
        return "\n".join(kept) + "\n" if kept else ""

    def _line(self, line: str) -> str:
        line = re.sub(rf"goal:{re.escape(self._folder)}/\S*?\.goal", lambda _: self._name, line)
        found = _IN_FILE.fullmatch(line)
        if not found or Path(found["file"]).parent != Path(self._folder):
            return line
        schedule = self._schedule_of(Path(found["file"]).name)
        place, message = schedule.place_of(int(found["line"])), found["message"]
        deadlock = _DEADLOCK.fullmatch(message)
        if deadlock:
            side = "send of {} B to" if deadlock["what"] == "send" else "receive of {} B from"
            message = (f"deadlock: waits for the {side.format(deadlock['bytes'])} rank "
                       f"{deadlock['peer']} (tag {deadlock['tag'] or 0})")
            started = schedule.place_of(int(deadlock["line"]))
            if started != place:
                message += f", started by{started.partition(',')[2]}"
        return f"{place}: {found['kind']}: {message}"
