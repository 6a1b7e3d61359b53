# SPDX-License-Identifier: BSD-3-Clause
"""Executes schedule files on symbolic contents: what the engine `ideal` does, written separately to
check the recorded text."""
from __future__ import annotations

import re
from collections import Counter, defaultdict, deque

OPERATION = re.compile(r"(\w+): (send|recv|calc) (\d+)(?:b (?:to|from) (\d+) tag (\d+))?")


class Schedule:
    """The text, by rank: operations with their annotations, waits, and `requires` lines."""

    def __init__(self, text: str) -> None:
        lines = text.splitlines()
        assert lines[0] == "// tutti schedule 1"
        call = re.fullmatch(r"// tutti call (\w+) bytes=(\d+) element=(\d+) root=(\d+)", lines[1])
        assert call
        self.collective = call[1]
        self.bytes, self.element, self.root = (int(call[i]) for i in (2, 3, 4))
        size = re.fullmatch(r"num_ranks (\d+)", lines[2])
        assert size
        self.procs = int(size[1])
        self.ranks: list[list[list[str]]] = []
        self.requires: list[dict[str, set[str]]] = []
        for line in lines[3:]:
            self._read(line)
        assert len(self.ranks) == self.procs

    def _read(self, line: str) -> None:
        if line == f"rank {len(self.ranks)} {{":
            self.ranks.append([])
            self.requires.append(defaultdict(set))
        elif line.startswith("// tutti wait"):
            _, _, how, *labels = line.split()
            assert how in ("wait", "wait_all") and labels
            self.ranks[-1].append([how, *labels])
        elif line.startswith("// tutti "):  # of the operation before it
            assert self.ranks[-1][-1][0] in ("send", "recv", "calc")
            assert not self.ranks[-1][-1][5]
            self.ranks[-1][-1][5] = line.removeprefix("// tutti ")
        elif " requires " in line:
            label, _, other = line.split()
            self.requires[-1][label].add(other)
        elif line != "}":
            match = OPERATION.fullmatch(line)
            assert match, line
            label, kind, number, peer, tag = match.groups()
            self.ranks[-1].append([kind, label, number, peer or "", tag or "", ""])


def contribution(rank: int, offset: int) -> Counter:
    return Counter({(rank, offset): 1})


def execute(schedule: Schedule) -> list[dict[tuple[int, int], object]]:
    """Contents of each rank's memory at the end: by (buffer, offset), for each byte its
    contributions. Fails if ranks wait forever or messages remain."""
    memories = [initial(schedule, rank) for rank in range(schedule.procs)]
    messages: dict[tuple[int, int, str], deque] = defaultdict(deque)
    positions = [0] * schedule.procs
    receives: list[dict[str, tuple]] = [{} for _ in range(schedule.procs)]
    progress = True
    while progress:
        progress = False
        for rank, steps in enumerate(schedule.ranks):
            while positions[rank] < len(steps) and step(schedule, rank, steps[positions[rank]],
                                                        memories[rank], messages,
                                                        receives[rank]):
                positions[rank] += 1
                progress = True
    assert positions == [len(steps) for steps in schedule.ranks], "ranks wait forever"
    assert not any(messages.values()), "messages were not received"
    assert not any(receives), "receives were not waited for"
    return memories


def initial(schedule: Schedule, rank: int) -> dict[tuple[int, int], object]:
    if schedule.collective == "bcast":
        sizes = {0: schedule.bytes if rank == schedule.root else 0}
    else:
        sizes = {1: schedule.bytes}
    return {(buffer, offset): contribution(rank, offset)
            for buffer, size in sizes.items() for offset in range(size)}


def place(text: str) -> tuple[int, int]:
    buffer, offset = text.split(":")
    return int(buffer), int(offset)


def step(schedule: Schedule, rank: int, what: list[str], memory: dict, messages: dict,
         receives: dict) -> bool:
    """False if the rank must wait."""
    if what[0] in ("wait", "wait_all"):
        return wait(rank, what[1:], memory, messages, receives)
    kind, label, number, peer, tag, note = what
    words = note.split()
    if kind == "send":
        assert words[0] in ("send", "isend", "issend")
        buffer, offset = place(words[1])
        piece = [memory[buffer, offset + i] for i in range(int(number))]
        messages[rank, int(peer), tag].append(piece)
        receives[label] = ()
    elif kind == "recv":
        assert words[0] == "irecv"
        receives[label] = (int(peer), tag, place(words[1]), int(number))
    elif not words:  # a calc of other tools
        pass
    elif words[0] == "copy":
        into, source = place(words[1]), place(words[2])
        piece = [memory[source[0], source[1] + i] for i in range(int(words[3]))]
        store(memory, into, piece)
    elif words[0] == "combine":
        combine(memory, words)
    else:
        assert words[0] in ("allocate", "clear", "compute"), note
    return True


def combine(memory: dict, words: list[str]) -> None:
    into, source = place(words[1]), place(words[2])
    assert words[4] in ("left", "right")
    piece = [memory[into[0], into[1] + i] + memory[source[0], source[1] + i]
             for i in range(int(words[3]))]
    store(memory, into, piece)


def store(memory: dict, into: tuple[int, int], piece: list) -> None:
    for i, value in enumerate(piece):
        memory[into[0], into[1] + i] = value


def wait(rank: int, labels: list[str], memory: dict, messages: dict, receives: dict) -> bool:
    found = [receives[label] for label in labels]
    needed = Counter((each[0], rank, each[1]) for each in found if each)
    if any(len(messages[key]) < count for key, count in needed.items()):
        return False
    for label in labels:
        each = receives.pop(label)
        if each:
            peer, tag, into, size = each
            piece = messages[peer, rank, tag].popleft()
            assert len(piece) == size
            store(memory, into, piece)
    return True


def expected(schedule: Schedule, rank: int) -> list[object]:
    """The contents of recvbuf after the collective."""
    procs, size = schedule.procs, schedule.bytes
    if schedule.collective == "bcast":
        return [contribution(schedule.root, i) for i in range(size)]
    if schedule.collective == "allgather":
        return [contribution(each, i) for each in range(procs) for i in range(size)]
    if schedule.collective == "reduce" and rank != schedule.root:
        return []
    last = rank if schedule.collective == "scan" else procs - 1
    return [Counter({(each, i): 1 for each in range(last + 1)}) for i in range(size)]


def check(text: str) -> None:
    """Fails if the schedule does not do what its collective must do."""
    schedule = Schedule(text)
    for rank, memory in enumerate(execute(schedule)):
        result = expected(schedule, rank)
        assert [memory.get((0, i)) for i in range(len(result))] == result, f"rank {rank}"


def check_order(text: str) -> None:
    """Fails if `requires` lines do not imply the order of the program: each operation comes after
    all local work and all waits before it."""
    schedule = Schedule(text)
    for steps, requires in zip(schedule.ranks, schedule.requires):
        closure: dict[str, set[str]] = {}
        before: set[str] = set()
        for what in steps:
            if what[0] in ("wait", "wait_all"):
                before |= set(what[1:])
                continue
            label = what[1]
            closure[label] = set()
            for each in requires[label]:
                closure[label] |= {each} | closure[each]
            assert before <= closure[label], f"{label} lacks {before - closure[label]}"
            if what[0] == "calc":
                before.add(label)
