# SPDX-License-Identifier: BSD-3-Clause
"""Buffers of a rank and the arguments of a call."""
from __future__ import annotations

import operator
from typing import Any

from ._program import Error


class Slice:
    """Consecutive bytes of a buffer. `part = whole[START:END]` has the bytes START to END - 1 of
    `whole`; both must be inside, and negative numbers are rejected."""

    __slots__ = ("buffer", "offset", "bytes", "name")

    def __init__(self, buffer: int, offset: int, size: int, name: str) -> None:
        self.buffer = buffer
        self.offset = offset
        self.bytes = size
        self.name = name

    def __getitem__(self, key: slice) -> "Slice":
        try:
            start, stop = key.start, key.stop
        except AttributeError:
            raise Error(f"{self.name}[{key!r}] is not a slice", "",
                        f"write {self.name}[START:END], in bytes") from None
        size = self.bytes
        if start is None:
            start = 0
        if stop is None:
            stop = size
        if type(start) is not int or type(stop) is not int:
            start, stop = self._whole(start), self._whole(stop)
        if not 0 <= start <= stop <= size or key.step is not None:
            self._reject(start, stop, key.step)
        return Slice(self.buffer, self.offset + start, stop - start, self.name)

    def __len__(self) -> int:
        return self.bytes

    def __repr__(self) -> str:
        return f"{self.name}[{self.offset}:{self.offset + self.bytes}]"

    def _whole(self, bound: Any) -> int:
        try:
            return operator.index(bound)
        except TypeError:
            raise Error(f"{bound!r} is not a whole number of bytes", "",
                        "divide with //, not with /") from None

    def _reject(self, start: int, stop: int, step: Any) -> None:
        if step is not None:
            raise Error(f"{self.name}[{start}:{stop}:{step}] has a step", "",
                        "slices are consecutive bytes")
        if start > stop and min(start, stop) >= 0:
            raise Error(f"{self.name}[{start}:{stop}] ends before it begins")
        where = f"{self.name} of {self.bytes} B" if self.offset == 0 else f"{self!r}"
        raise Error(f"slice [{start}:{stop}] is not inside {where}", "",
                    f"{self.name} is empty at this rank" if self.bytes == 0 else
                    "bounds are bytes from the start of what is sliced, from 0")


# What buffers contain: a vector of `bytes`, one block of `bytes`, one block for each rank, the
# rank's own part of the vector, or nothing. Sendbuf, recvbuf; * at the root only.
_BUFFERS = {
    "bcast": ("none", "vector"),
    "reduce": ("vector", "vector*"),
    "allreduce": ("vector", "vector"),
    "reduce_scatter": ("vector", "part"),
    "reduce_scatter_block": ("blocks", "block"),
    "scan": ("vector", "vector"),
    "exscan": ("vector", "vector"),
    "gather": ("block", "blocks*"),
    "gatherv": ("block", "blocks*"),
    "scatter": ("blocks*", "block"),
    "scatterv": ("blocks*", "block"),
    "allgather": ("block", "blocks"),
    "allgatherv": ("block", "blocks"),
    "alltoall": ("blocks", "blocks"),
    "alltoallv": ("blocks", "blocks"),
    "barrier": ("none", "none"),
}
COLLECTIVES = tuple(_BUFFERS)
ROOTED = tuple(name for name, buffers in _BUFFERS.items()
               if name == "bcast" or any("*" in each for each in buffers))


class Call:
    """The arguments of a call of a collective, the same at all ranks.

    collective: its name
    bytes: --message-size: the whole vector (bcast, reduce, allreduce, reduce_scatter, scan,
        exscan), or one rank's block (all others)
    element_bytes: size of the datatype
    elements: number of elements in `bytes`
    root: the root rank; 0 if the collective has none
    procs: number of ranks
    blocks: P slices: the blocks of the ranks in a buffer that has one for each rank; for
        collectives on a whole vector, split(P)
    """

    __slots__ = ("collective", "bytes", "element_bytes", "elements", "root", "procs", "blocks")

    def __init__(self, collective: str, size: int, element_bytes: int, root: int,
                 procs: int) -> None:
        self.collective = collective
        self.bytes = size
        self.element_bytes = element_bytes
        self.elements = size // element_bytes
        self.root = root
        self.procs = procs
        has_vector = any(each.rstrip("*") == "vector" for each in _BUFFERS[collective])
        self.blocks = (self.split(procs) if has_vector else
                       [slice(i * size, (i + 1) * size) for i in range(procs)])

    def split(self, count: int) -> list[slice]:
        """`bytes` divided into `count` slices of whole elements: the first (elements % count) have
        one element more than the others, as in Open MPI. Some are empty if there are fewer
        elements. Use: `me.recvbuf[parts[i]]`."""
        try:
            parts_wanted = operator.index(count)
        except TypeError:
            raise Error(f"invalid count {count!r}: expected a whole number", "",
                        "divide with //, not with /") from None
        if parts_wanted < 1:
            raise Error(f"invalid count {count}: expected 1 or more")
        size, larger = divmod(self.elements, parts_wanted)
        width = self.element_bytes
        parts, start = [], 0
        for index in range(parts_wanted):
            stop = start + (size + (index < larger)) * width
            parts.append(slice(start, stop))
            start = stop
        return parts

    def buffer_bytes(self, rank: int) -> tuple[int, int]:
        """Sizes of sendbuf and recvbuf at a rank, in bytes."""
        send, recv = (self._bytes_of(what, rank) for what in _BUFFERS[self.collective])
        return send, recv

    def _bytes_of(self, what: str, rank: int) -> int:
        if what.endswith("*") and rank != self.root:
            return 0
        kind = what.rstrip("*")
        if kind == "part":
            return self.blocks[rank].stop - self.blocks[rank].start
        return {"none": 0, "vector": self.bytes, "block": self.bytes,
                "blocks": self.bytes * self.procs}[kind]

    def __repr__(self) -> str:
        return (f"Call({self.collective}, bytes={self.bytes}, element_bytes={self.element_bytes}, "
                f"root={self.root}, procs={self.procs})")
