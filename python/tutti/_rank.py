# SPDX-License-Identifier: BSD-3-Clause
"""The rank of a rank program: writes each operation as lines of a schedule."""
from __future__ import annotations

import numbers
import operator
from array import array
from collections.abc import Iterable
from typing import Any, NoReturn

from ._memory import Call, Slice
from ._program import Error


class Done:
    """What operations return that have no request."""

    __slots__ = ()


DONE = Done()

# Messages by (rank, tag) of the other side: their sizes in order.
Sizes = dict[tuple[int, int], array]


class Request:
    """A message that was started and must be waited for, once: the result of
    `yield me.isend(...)`."""

    __slots__ = ("label", "epoch", "rank", "waited")

    def __init__(self, label: str, epoch: int, rank: int) -> None:
        self.label = label
        self.epoch = epoch
        self.rank = rank
        self.waited = False

    def __repr__(self) -> str:
        return f"<Request {self.label} of rank {self.rank}>"


_LARGEST_TAG = (1 << 31) - 1

# With more operations to wait for, one operation without duration joins them.
_JOINED_ABOVE = 3


class Rank:
    """The rank that runs a rank program. Every operation must be yielded: `yield me.send(...)`.

    id, size: the rank and the number of ranks
    sendbuf, recvbuf: the buffers of the MPI call; bcast works in recvbuf
    """

    __slots__ = ("id", "size", "sendbuf", "recvbuf", "operations", "messages", "sent", "received",
                 "lines", "is_open", "_element", "_labels", "_buffers", "_after", "_epoch",
                 "_pending", "_requires", "_empty")

    def __init__(self, rank: int, size: int, call: Call, requires: bool) -> None:
        self.id = rank
        self.size = size
        send, recv = call.buffer_bytes(rank)
        self.recvbuf = Slice(0, 0, recv, "recvbuf")
        self.sendbuf = Slice(1, 0, send, "sendbuf")
        self.operations = 0  # yielded by the program
        self.messages = 0  # sent
        self.sent: Sizes = {}
        self.received: Sizes = {}
        self.lines: list[str] = []
        self.is_open = False  # an operation was created, but not yielded yet
        self._element = call.element_bytes
        self._labels = 0
        self._buffers = 2  # the next scratch buffer
        # What the next operation comes after, and how often that has changed.
        self._after: list[str] = []
        self._epoch = 0
        self._pending: set[Request] = set()
        self._requires = requires  # writes the lines for other tools
        self._empty = Slice(0, 0, 0, "empty")

    # ---- Messages

    def send(self, to: int, data: Slice | None = None, tag: int = 0) -> Done:
        """MPI_Send: blocking; above the eager limit it ends after the receive has begun."""
        self._begin()
        self._emit_wait([self._start_send("send", to, data, tag)], "wait")
        return DONE

    def recv(self, source: int, data: Slice | None = None, tag: int = 0) -> Done:
        """MPI_Recv of exactly the bytes of `data`. The result of the yield is None: a program
        depends neither on data nor on the order of arrival."""
        self._begin()
        self._emit_wait([self._start_receive(source, data, tag)], "wait")
        return DONE

    def sendrecv(self, to: int, send: Slice | None, source: int, recv: Slice | None,
                 tag: int = 0) -> Done:
        """MPI_Sendrecv, as in Open MPI's collectives: irecv, blocking send, wait for the
        receive."""
        if self.is_open:
            self._not_yielded()
        self.is_open = True
        size = self.size
        if (type(send) is not Slice or type(recv) is not Slice or type(to) is not int
                or type(source) is not int or not 0 <= to < size or not 0 <= source < size
                or to == self.id or source == self.id or tag != 0):
            received = self._start_receive(source, recv, tag)
            self._emit_wait([self._start_send("send", to, send, tag), received], "wait")
            return DONE
        # The same in one piece, because many programs consist of it.
        label = self._labels
        self._labels = label + 2
        sent_bytes, received_bytes = send.bytes, recv.bytes
        first = f"r{label}"
        second = f"s{label + 1}"
        after = self._after
        if self._requires and after:
            if len(after) > _JOINED_ABOVE:
                after = self._join()
            needs = "".join([f"{first} requires {each}\n{second} requires {each}\n"
                             for each in after])
        else:
            needs = ""
        self.lines.append(
            f"{first}: recv {received_bytes}b from {source} tag 0\n// tutti irecv "
            f"{recv.buffer}:{recv.offset}\n"
            f"{second}: send {sent_bytes}b to {to} tag 0\n// tutti send "
            f"{send.buffer}:{send.offset}\n"
            f"{needs}// tutti wait {second} {first}\n")
        self._after = [second, first]
        self._epoch += 1
        self.messages += 1
        try:
            self.sent[to, 0].append(sent_bytes)
        except KeyError:
            self.sent[to, 0] = array("q", [sent_bytes])
        try:
            self.received[source, 0].append(received_bytes)
        except KeyError:
            self.received[source, 0] = array("q", [received_bytes])
        return DONE

    def isend(self, to: int, data: Slice | None = None, tag: int = 0) -> Request:
        """MPI_Isend: `request = yield me.isend(...)`, later `yield me.wait(request)`."""
        self._begin()
        return self._start_send("isend", to, data, tag)

    def issend(self, to: int, data: Slice | None = None, tag: int = 0) -> Request:
        """MPI_Issend: completes when the message is received; rendezvous for every size."""
        self._begin()
        return self._start_send("issend", to, data, tag)

    def irecv(self, source: int, data: Slice | None = None, tag: int = 0) -> Request:
        """MPI_Irecv of exactly the bytes of `data`."""
        self._begin()
        return self._start_receive(source, data, tag)

    def wait(self, *requests: Request | Iterable[Request]) -> Done:
        """MPI_Wait for each request, in the given order."""
        self._begin()
        self._emit_wait(self._flat(requests), "wait")
        return DONE

    def wait_all(self, *requests: Request | Iterable[Request]) -> Done:
        """MPI_Waitall: the rank processes receives in the order of their completion."""
        self._begin()
        self._emit_wait(self._flat(requests), "wait_all")
        return DONE

    # ---- Local work

    def copy(self, into: Slice, source: Slice) -> Done:
        """into := source; takes the bytes over the machine's copy bandwidth."""
        self._begin()
        self._check_pair("copy", into, source)
        self._emit_local(f"copy {into.buffer}:{into.offset} {source.buffer}:{source.offset} "
                         f"{into.bytes}")
        return DONE

    def combine(self, into: Slice, operand: Slice, left: bool = False) -> Done:
        """into := into op operand; with `left`, into := operand op into, as in MPI_Reduce_local.
        Takes the bytes over the machine's combine bandwidth."""
        if self.is_open:
            self._not_yielded()
        self.is_open = True
        if (type(into) is not Slice or type(operand) is not Slice or into.bytes != operand.bytes
                or into.buffer == operand.buffer or into.bytes % self._element
                or into.offset % self._element):
            self._check_pair("combine", into, operand)
            self._check_elements(into)
        self._emit_local(f"combine {into.buffer}:{into.offset} {operand.buffer}:{operand.offset} "
                         f"{into.bytes} {'left' if left else 'right'}")
        return DONE

    def clear(self, into: Slice) -> Done:
        """into := zeros, the neutral element of a bitwise or; takes as long as a copy."""
        self._begin()
        into = self._slice(into)
        self._emit_local(f"clear {into.buffer}:{into.offset} {into.bytes}")
        return DONE

    def compute(self, seconds: float) -> Done:
        """Local work of that many seconds."""
        self._begin()
        if not isinstance(seconds, numbers.Real) or isinstance(seconds, bool):
            raise Error(f"invalid duration {seconds!r}: seconds must be a number", "",
                        "a time of 1 us is 1e-6")
        duration = float(seconds)
        if not 0 <= duration < float("inf"):
            raise Error(f"invalid duration {seconds} s: expected 0 or more seconds")
        self._emit_local(f"compute {duration!r}", round(duration * 1e9))
        return DONE

    def allocate(self, size: int) -> Done:
        """The time in which the library allocates a temporary buffer of that many bytes. The
        buffer itself is `me.scratch(size)`."""
        self._begin()
        self._emit_local(f"allocate {self._bytes(size)}")
        return DONE

    def scratch(self, size: int) -> Slice:
        """A new temporary buffer of that many bytes; not an operation, takes no time."""
        number = self._buffers
        self._buffers += 1
        return Slice(number, 0, self._bytes(size), f"scratch buffer {number}")

    # ---- The end of a program

    def finish(self) -> None:
        if self.is_open:
            self._not_yielded()
        if self._pending:
            labels = sorted(each.label for each in self._pending)
            sends = sum(label[0] == "s" for label in labels)
            raise Error(f"{len(labels)} requests are never waited for: {sends} sends, "
                        f"{len(labels) - sends} receives", "",
                        "yield me.wait(request) or me.wait_all(requests)")

    # ---- Parts

    def _begin(self) -> None:
        if self.is_open:
            self._not_yielded()
        self.is_open = True

    def _not_yielded(self) -> NoReturn:
        raise Error("an operation was not yielded", "",
                    "write 'yield me.OPERATION(...)', once for each operation")

    def _bytes(self, size: int) -> int:
        try:
            value = operator.index(size)
        except TypeError:
            raise Error(f"{size!r} is not a whole number of bytes", "",
                        "divide with //, not with /") from None
        if value < 0:
            raise Error(f"invalid size {value}: expected 0 or more bytes")
        return value

    def _peer(self, rank: int, what: str) -> int:
        try:
            value = operator.index(rank)
        except TypeError:
            raise Error(f"{what} {rank!r} is not a rank", "",
                        "divide with //, not with /") from None
        if not 0 <= value < self.size:
            raise Error(f"{what} {value} is not a rank of 0 to {self.size - 1}", "",
                        "add '% me.size' if ranks form a ring")
        if value == self.id:
            raise Error(f"{what} {value} is the rank itself", "", "use me.copy")
        return value

    def _slice(self, data: Any) -> Slice:
        if isinstance(data, Slice):
            return data
        if data is None:
            return self._empty
        hint = "write me.recvbuf[START:END], in bytes"
        if isinstance(data, slice):
            hint = f"write me.recvbuf[{data.start}:{data.stop}]"
        raise Error(f"{data!r} is not a slice of a buffer", "", hint)

    def _check_pair(self, what: str, into: Any, source: Any) -> None:
        into, source = self._slice(into), self._slice(source)
        if into.bytes != source.bytes:
            raise Error(f"{what} of unequal sizes: {into!r} has {into.bytes} B, {source!r} has "
                        f"{source.bytes} B")
        distance = abs(into.offset - source.offset)
        if into.buffer == source.buffer and distance < into.bytes and (
                distance > 0 or what == "combine"):
            raise Error(f"{what} of slices that overlap: {into!r} and {source!r}")

    def _check_elements(self, into: Slice) -> None:
        if into.offset % self._element or into.bytes % self._element:
            raise Error(f"combine of parts of elements: {into!r} with elements of "
                        f"{self._element} B", "", "use call.split(COUNT)")

    def _flat(self, requests: Iterable[Request | Iterable[Request]]) -> list[Request]:
        flat: list[Request] = []
        for each in requests:
            if isinstance(each, Request):
                flat.append(each)
            elif each is None or isinstance(each, (Done, Slice, str)):
                raise Error(f"{each!r} is not a request", "",
                            "request = yield me.isend(...)")
            elif not isinstance(each, Iterable):
                raise Error(f"{each!r} is not a request", "", "request = yield me.isend(...)")
            else:
                flat += self._flat(each)
        return flat

    def _join(self) -> list[str]:
        """Replaces the operations that the next one comes after by one without duration."""
        label = f"j{self._labels}"
        self._labels += 1
        self.lines.append(f"{label}: calc 0\n")
        self.lines += [f"{label} requires {each}\n" for each in self._after]
        self._after = [label]
        return self._after

    def _needs(self, label: str) -> str:
        if not self._requires or not self._after:
            return ""
        return "".join([f"{label} requires {each}\n" for each in self._after])

    def _emit_local(self, annotation: str, nanoseconds: int = 0) -> None:
        label = f"c{self._labels}"
        self._labels += 1
        self.lines.append(f"{label}: calc {nanoseconds}\n// tutti {annotation}\n"
                          f"{self._needs(label)}")
        self._after = [label]
        self._epoch += 1

    def _start_send(self, kind: str, to: int, data: Any, tag: int) -> Request:
        peer = self._peer(to, "destination")
        self.messages += 1
        return self._start_message("send", f"to {peer}", kind, data, self.sent, (peer, tag))

    def _start_receive(self, source: int, data: Any, tag: int) -> Request:
        peer = self._peer(source, "source")
        return self._start_message("recv", f"from {peer}", "irecv", data, self.received,
                                   (peer, tag))

    def _start_message(self, verb: str, place: str, kind: str, data: Any,
                       counted: Sizes, key: tuple[int, int]) -> Request:
        piece, number = self._slice(data), self._tag(key[1])
        if self._requires and len(self._after) > _JOINED_ABOVE:
            self._join()
        label = f"{verb[0]}{self._labels}"
        self._labels += 1
        self.lines.append(f"{label}: {verb} {piece.bytes}b {place} tag {number}\n// tutti {kind} "
                          f"{piece.buffer}:{piece.offset}\n{self._needs(label)}")
        counted.setdefault((key[0], number), array("q")).append(piece.bytes)
        return self._request(label)

    def _tag(self, tag: int) -> int:
        try:
            value = operator.index(tag)
        except TypeError:
            raise Error(f"invalid tag {tag!r}: expected a whole number") from None
        if not 0 <= value <= _LARGEST_TAG:
            raise Error(f"invalid tag {value}: expected 0 to {_LARGEST_TAG}")
        return value

    def _request(self, label: str) -> Request:
        request = Request(label, self._epoch, self.id)
        self._pending.add(request)
        return request

    def _emit_wait(self, requests: list[Request], how: str) -> None:
        if not requests:
            return
        implied = False
        for each in requests:
            if each.waited:
                raise Error(f"request {each.label} is waited for twice")
            if each not in self._pending:
                raise Error(f"request {each.label} is one of rank {each.rank}")
            each.waited = True
            self._pending.discard(each)
            implied = implied or each.epoch == self._epoch
        labels = [each.label for each in requests]
        self.lines.append(f"// tutti {how} {' '.join(labels)}\n")
        # A request of the current epoch comes after all that the next operation must follow.
        self._after = labels if implied else self._after + labels
        self._epoch += 1
