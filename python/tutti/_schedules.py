# SPDX-License-Identifier: BSD-3-Clause
"""Rank programs as Python generators, and the schedules that are recorded from them."""
from __future__ import annotations

import gzip
import io
import os
import traceback
import types
import uuid
from array import array
from pathlib import Path
from typing import Any, Callable, Generator, Iterable, TextIO

import pandas as pd

from ._calls import unused_calls
from ._memory import COLLECTIVES, ROOTED, Call
from ._options import in_bytes, whole_number
from ._program import Error, checked_text, file_name, line_of_file
from ._rank import DONE, Rank, Request

# A rank has at most this number of operations: about 0.5 GB and 5 s.
MOST_OPERATIONS = 2_000_000

Program = Callable[[Rank, Call], Generator[Any, Any, None]]


class NotApplicable(Exception):
    """Raised by a rank program that does not support the call: `raise tutti.NotApplicable("P must
    be a power of two")`. `tutti.run` omits such points, with a warning."""


class Schedule:
    """The operations of all ranks in one call of a rank program. Recorded when it is written or
    counted; ranks are recorded one after another, so memory depends on the largest rank."""

    def __init__(self, algorithm: "Algorithm", call: Call) -> None:
        self._algorithm = algorithm
        self._call = call
        self._counts: tuple[int, int, int] | None = None

    @property
    def call(self) -> Call:
        return self._call

    def write(self, path: str | os.PathLike[str], requires: bool = True) -> Path:
        """Writes the schedule as GOAL text with annotations. `requires`: also the lines with the
        order of operations, which other tools (LogGOPSim, ATLAHS) need and Tutti does not. A name
        that ends with .gz: compressed, which the program reads, too."""
        target = Path(file_name(path, "path"))
        # A file that exists is replaced when the new one is complete.
        part = target.with_name(f".tutti-{uuid.uuid4().hex}.tmp")
        try:
            if target.suffix == ".gz":
                with open(part, "wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed:
                    with io.TextIOWrapper(packed, encoding="ascii", newline="\n") as file:
                        self._record(file, requires)
            else:
                with open(part, "w", encoding="ascii", buffering=1 << 20) as file:
                    self._record(file, requires)
            part.replace(target)
        except BaseException as error:
            part.unlink(missing_ok=True)
            if isinstance(error, OSError):
                raise Error(f"cannot be written: {error.strerror}", str(target)) from None
            raise
        return target

    def text(self, requires: bool = True) -> str:
        """The same as a string."""
        file = io.StringIO()
        self._record(file, requires)
        return file.getvalue()

    @property
    def messages(self) -> int:
        """Number of messages."""
        return self._counted()[0]

    @property
    def bytes(self) -> int:
        """Bytes of all messages."""
        return self._counted()[1]

    @property
    def operations(self) -> int:
        """Number of operations that the rank programs yield, of all ranks."""
        return self._counted()[2]

    def place_of(self, line: int) -> str:
        """The rank and the operation that wrote a line of the text without `requires` lines."""
        start = 3  # lines before those of the rank
        for rank in range(self._call.procs):
            count = sum(text.count("\n") for text in self._run(rank, False).lines)
            if line <= start + 1 + count:
                return self._place_in(rank, line - start - 1)
            start += count + 2
        return self._algorithm.name

    def _place_in(self, rank: int, line: int) -> str:
        counted = written = 0
        where = ""

        def found(me: Rank, steps: Any) -> bool:
            nonlocal counted, written, where
            written += sum(text.count("\n") for text in me.lines[counted:])
            counted = len(me.lines)
            if written < line:
                return False
            where = _line_of_frame(steps)
            return True
        me = self._run(rank, False, found)
        return self._place(rank, me.operations, where)

    def __repr__(self) -> str:
        return f"<tutti.Schedule of {self._algorithm.name}: {self._call!r}>"

    def _counted(self) -> tuple[int, int, int]:
        if self._counts is None:
            self._record(None, False)
        assert self._counts is not None
        return self._counts

    def _record(self, file: TextIO | None, requires: bool) -> None:
        self._algorithm.require_used_calls()
        call, procs = self._call, self._call.procs
        if file:
            file.write(f"// tutti schedule 1\n// tutti call {call.collective} bytes={call.bytes} "
                       f"element={call.element_bytes} root={call.root}\nnum_ranks {procs}\n")
        sent: dict[tuple[int, int, int], array] = {}
        received: dict[tuple[int, int, int], array] = {}
        messages = operations = 0
        for rank in range(procs):
            me = self._run(rank, requires)
            if file:
                file.write(f"rank {rank} {{\n{''.join(me.lines)}}}\n")
            for (to, tag), sizes in me.sent.items():
                sent[rank, to, tag] = sizes
            for (source, tag), sizes in me.received.items():
                received[source, rank, tag] = sizes
            messages += me.messages
            operations += me.operations
        if sent != received:
            self._report_mismatch(sent, received)
        self._counts = (messages, sum(sum(sizes) for sizes in sent.values()), operations)

    def _run(self, rank: int, requires: bool,
             watch: Callable[[Rank, Any], bool] | None = None) -> Rank:
        """Runs the program of a rank, until `watch` is true after an operation."""
        call = self._call
        me = Rank(rank, call.procs, call, requires)
        steps: Any = None
        try:
            steps = self._algorithm.function(me, call)
            if not isinstance(steps, types.GeneratorType):
                raise Error("the function is not a generator", "",
                            "each operation is 'yield me.OPERATION(...)'")
            if self._drive(me, steps, watch):
                steps = None
                me.finish()
        except Error as error:
            if not error.place:
                line = _line_of(error.__traceback__)
                running = isinstance(steps, types.GeneratorType)
                if running and not line and steps.gi_frame:
                    line = _line_of_frame(steps)
                error.place = self._place(rank, me.operations + running, line)
            raise
        except NotApplicable:
            raise
        except Exception as error:
            error.add_note(f"in {self._place(rank, me.operations, '')}")
            raise
        finally:
            if isinstance(steps, types.GeneratorType):
                steps.close()
        return me

    def _drive(self, me: Rank, steps: Generator[Any, Any, None],
               watch: Callable[[Rank, Any], bool] | None) -> bool:
        """Returns whether the program has ended."""
        value: Any = None
        count = 0
        advance = steps.send
        try:
            while True:
                value = advance(value)
                if not me.is_open or (value is not DONE and type(value) is not Request):
                    _reject_yielded(value)
                me.is_open = False
                count += 1
                if count > MOST_OPERATIONS:
                    raise Error(f"more than {MOST_OPERATIONS:,} operations of a rank", "",
                                "does the generator end?")
                if watch is not None:
                    me.operations = count
                    if watch(me, steps):
                        return False
                if value is DONE:
                    value = None
        except StopIteration:
            return True
        finally:
            me.operations = count

    def _place(self, rank: int, operation: int, line: str) -> str:
        place = f"{self._algorithm.name}: rank {rank} of {self._call.procs}"
        if operation:
            place += f", operation {operation}"
        return f"{place} ({line})" if line else place

    def _where(self, rank: int, what: str, key: tuple[int, int], index: int) -> str:
        """The place of a rank's message number `index` (from 0): the program runs again."""
        line = ""

        def found(me: Rank, steps: Any) -> bool:
            nonlocal line
            if len(getattr(me, what).get(key, ())) <= index:
                return False
            line = _line_of_frame(steps)
            return True
        me = self._run(rank, False, found)
        return self._place(rank, me.operations, line)

    def _report_mismatch(self, sent: dict[tuple[int, int, int], array],
                         received: dict[tuple[int, int, int], array]) -> None:
        for key in sorted(sent.keys() | received.keys()):
            sends, receives = sent.get(key, array("q")), received.get(key, array("q"))
            if sends == receives:
                continue
            source, to, tag = key
            both = min(len(sends), len(receives))
            index = next((i for i in range(both) if sends[i] != receives[i]), both)
            which = f"message {index + 1} from rank {source} to rank {to} (tag {tag})"
            if index == both and len(sends) > both:
                raise Error(f"{which}, of {sends[index]} B, is never received",
                            self._where(source, "sent", (to, tag), index),
                            f"rank {to} receives {both} messages from rank {source} with tag "
                            f"{tag}")
            if index == both:
                raise Error(f"{which}, of {receives[index]} B, is never sent",
                            self._where(to, "received", (source, tag), index),
                            f"rank {source} sends {both} messages to rank {to} with tag {tag}")
            raise Error(f"{which} has {sends[index]} B, its receive {receives[index]} B",
                        self._where(source, "sent", (to, tag), index),
                        "the receive is " + self._where(to, "received", (source, tag), index))


def _reject_yielded(value: Any) -> None:
    if isinstance(value, types.GeneratorType):
        raise Error("a generator was yielded", "", "call other rank programs with 'yield from'")
    if value is None:
        raise Error("nothing was yielded", "", "each operation is 'yield me.OPERATION(...)'")
    raise Error(f"{value!r} is not a new operation", "",
                "each operation is 'yield me.OPERATION(...)', once")


def _line_of(trace: types.TracebackType | None) -> str:
    """FILE:LINE of the innermost frame of the rank program: outside the package, called by it."""
    folder = str(Path(__file__).parent)
    line, entered = "", False
    for each in traceback.extract_tb(trace):
        if each.filename.startswith(folder):
            entered = True
        elif entered:
            line = line_of_file(each.filename, each.lineno)
    return line


def _line_of_frame(steps: Any) -> str:
    """FILE:LINE at which the innermost generator has yielded."""
    while isinstance(steps.gi_yieldfrom, types.GeneratorType):
        steps = steps.gi_yieldfrom
    frame = steps.gi_frame
    return line_of_file(frame.f_code.co_filename, frame.f_lineno) if frame else ""


class Algorithm:
    """A rank program, made by `@tutti.algorithm(COLLECTIVE)`; `algorithm=` of `tutti.run` accepts
    it. Other rank programs call it by `yield from NAME(me, call)`."""

    def __init__(self, function: Program, collective: str, name: str | None = None) -> None:
        if not callable(function):
            raise Error(f"{function!r} is not a function", "tutti.algorithm",
                        "decorate a generator function: def program(me, call)")
        self.function = function
        self.collective = collective
        self.name = (getattr(function, "__name__", "program") if name is None
                     else checked_text(name, "name"))
        self.__doc__ = function.__doc__
        self._calls_are_used = False

    def __call__(self, me: Rank, call: Call) -> Generator[Any, Any, None]:
        return self.function(me, call)

    def __repr__(self) -> str:
        return f"<tutti.Algorithm {self.name} of {self.collective}>"

    def schedule(self, procs: int, message_size: int | str, element_bytes: int | str = 1,
                 root: int = 0) -> Schedule:
        """The schedule of a call. Sizes are those of `sim run`: message_size in bytes or with a
        unit, a multiple of element_bytes."""
        size, element = in_bytes(message_size), in_bytes(element_bytes, "element_bytes")
        place = f"{self.name}.schedule"
        procs, root = whole_number("procs", procs, place), whole_number("root", root, place)
        if procs < 1:
            raise Error(f"invalid procs {procs}: expected 1 or more", place)
        if element < 1 or size % element:
            raise Error(f"message_size {size} is not a multiple of element_bytes {element}", place)
        if not 0 <= root < procs:
            raise Error(f"root {root} is not a rank of 0 to {procs - 1}", place)
        return Schedule(self, Call(self.collective, size, element, root, procs))

    def require_used_calls(self) -> None:
        """Rejects a forgotten `yield from`."""
        if self._calls_are_used:
            return
        for callee, line in unused_calls(self.function, Algorithm):
            raise Error(f"the operations of '{callee}' are not yielded", f"{self.name} ({line})",
                        f"write 'yield from {callee}(...)'")
        self._calls_are_used = True

    def prove(self, procs: int | Iterable[int] = range(2, 17),
              message_size: int | str | Iterable[int | str] | None = None,
              element_bytes: int | str = 4, root: int | Iterable[int] | None = None,
              platform: Any = "leonardo", **options: Any) -> pd.DataFrame:
        """Runs the schedules on the untimed engine, which moves symbolic contents and checks that
        each rank ends with the result of the collective. Raises `Error` for the first that does
        not; the table lists what was proven: procs, root, message_bytes, messages.

        Defaults: 2 to 16 ranks; 1, 13 and 256 elements of 4 bytes; the first and the last rank as
        root. A proof is for these calls, not for all. `commutative=False` demands operands in the
        order of the ranks.
        """
        from ._runs import prove
        return prove(self, procs, message_size, element_bytes, root, platform, options)


def algorithm(collective: str, name: str | None = None) -> Callable[[Program], Algorithm]:
    """Makes an algorithm of a generator function `program(me, call)`: see python/README.md.
    `name`: how tables and figures name it; default: that of the function. If the program has an
    algorithm of that name, they add " (Python)"."""
    if not isinstance(collective, str) or collective not in COLLECTIVES:
        raise Error(f"unknown collective '{getattr(collective, '__name__', collective)}'",
                    "tutti.algorithm", "expected @tutti.algorithm(COLLECTIVE) with one of: "
                    + ", ".join(COLLECTIVES))
    return lambda function: Algorithm(function, collective, name)


__all__ = ["Algorithm", "NotApplicable", "ROOTED", "Schedule", "algorithm"]
