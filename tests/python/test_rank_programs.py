# SPDX-License-Identifier: BSD-3-Clause
"""Recording of rank programs: the text, its meaning, and errors."""
import gzip
import time

import interpret
import programs
import pytest

import tutti

TWO_RANKS = """\
// tutti schedule 1
// tutti call allreduce bytes=8 element=4 root=0
num_ranks 2
rank 0 {
c0: calc 0
// tutti copy 0:0 1:0 8
r1: recv 4b from 1 tag 0
// tutti irecv 2:0
s2: send 4b to 1 tag 0
// tutti send 0:0
r1 requires c0
s2 requires c0
// tutti wait s2 r1
c3: calc 0
// tutti combine 0:4 2:0 4 right
c3 requires s2
c3 requires r1
r4: recv 4b from 1 tag 0
// tutti irecv 0:0
s5: send 4b to 1 tag 0
// tutti send 0:4
r4 requires c3
s5 requires c3
// tutti wait s5 r4
}
rank 1 {
c0: calc 0
// tutti copy 0:0 1:0 8
r1: recv 4b from 0 tag 0
// tutti irecv 2:0
s2: send 4b to 0 tag 0
// tutti send 0:4
r1 requires c0
s2 requires c0
// tutti wait s2 r1
c3: calc 0
// tutti combine 0:0 2:0 4 right
c3 requires s2
c3 requires r1
r4: recv 4b from 0 tag 0
// tutti irecv 0:4
s5: send 4b to 0 tag 0
// tutti send 0:0
r4 requires c3
s5 requires c3
// tutti wait s5 r4
}
"""

ALL = [programs.ring, programs.direct, programs.binomial, programs.chain, programs.linear]


def test_a_ring_of_two_ranks_is_written_as_agreed(tmp_path):
    schedule = programs.ring.schedule(procs=2, message_size=8, element_bytes=4)
    assert schedule.text() == TWO_RANKS
    assert schedule.write(tmp_path / "ring.goal").read_text() == TWO_RANKS
    assert (schedule.messages, schedule.bytes, schedule.operations) == (4, 16, 8)
    without = "".join(line for line in TWO_RANKS.splitlines(True) if "requires" not in line)
    assert schedule.text(requires=False) == without
    packed = schedule.write(tmp_path / "ring.goal.gz").read_bytes()
    assert gzip.decompress(packed).decode() == TWO_RANKS
    assert packed == schedule.write(tmp_path / "same.goal.gz").read_bytes()


@pytest.mark.parametrize("program", ALL, ids=lambda each: each.name)
@pytest.mark.parametrize("procs", [1, 2, 3, 4, 5, 8, 13])
@pytest.mark.parametrize("elements", [1, 7, 16])
def test_schedules_do_what_the_collective_must_do(program, procs, elements):
    for root in {0, procs - 1} if program.collective in ("bcast", "reduce") else {0}:
        text = program.schedule(procs, 2 * elements, 2, root).text()
        interpret.check(text)
        interpret.check_order(text)


def test_the_interpreter_finds_wrong_results_and_orders():
    text = programs.ring.schedule(3, 12, 4).text()
    with pytest.raises(AssertionError):
        interpret.check(text.replace("combine 0:8", "combine 0:4", 1))
    with pytest.raises(AssertionError):
        interpret.check_order(text.replace("s5 requires c3\n", "", 1))


def test_other_annotations_are_written_as_agreed():
    @tutti.algorithm("barrier")
    def work(me, call):
        data = me.scratch(24)
        yield me.allocate(24)
        yield me.clear(data[8:])
        yield me.compute(1.5e-6)
        if me.id == 0:
            first = yield me.issend(1, data[8:24], tag=3)
            second = yield me.isend(1)
            yield me.wait(second, first)
        else:
            yield me.recv(0, data[:16], 3)
            yield me.recv(0)
    text = work.schedule(2, 0).text(requires=False)
    assert text.splitlines()[3:] == """\
rank 0 {
c0: calc 0
// tutti allocate 24
c1: calc 0
// tutti clear 2:8 16
c2: calc 1500
// tutti compute 1.5e-06
s3: send 16b to 1 tag 3
// tutti issend 2:8
s4: send 0b to 1 tag 0
// tutti isend 0:0
// tutti wait s4 s3
}
rank 1 {
c0: calc 0
// tutti allocate 24
c1: calc 0
// tutti clear 2:8 16
c2: calc 1500
// tutti compute 1.5e-06
r3: recv 16b from 0 tag 3
// tutti irecv 2:0
// tutti wait r3
r4: recv 0b from 0 tag 0
// tutti irecv 0:0
// tutti wait r4
}""".splitlines()


def test_many_requests_are_joined_before_the_next_operations():
    @tutti.algorithm("allgather")
    def twice(me, call):
        for _ in range(2):
            yield from programs.direct(me, call)
    text = twice.schedule(16, 4).text()
    interpret.check(text)
    interpret.check_order(text)
    assert text.count(" requires ") < 16 * 130  # not 30 for each of 30 operations

    @tutti.algorithm("alltoall")
    def exchange(me, call):
        for _ in range(2):
            requests = []
            for other in (each for each in range(me.size) if each != me.id):
                requests.append((yield me.isend(other)))
                requests.append((yield me.irecv(other)))
            yield me.wait_all(requests)
    text = exchange.schedule(16, 4).text()
    interpret.check_order(text)
    assert text.count("calc 0\nj") == 16
    assert text.count(" requires ") == 16 * 60


def test_a_vector_is_split_as_in_open_mpi():
    call = tutti.Call("allreduce", 44, 4, 0, 4)
    assert call.split(4) == [slice(0, 12), slice(12, 24), slice(24, 36), slice(36, 44)]
    assert call.blocks == call.split(4)
    assert call.split(20)[10:12] == [slice(40, 44), slice(44, 44)]
    assert tutti.Call("allgather", 44, 4, 0, 2).blocks == [slice(0, 44), slice(44, 88)]


@pytest.mark.parametrize("collective, rank, send, recv", [
    ("bcast", 1, 0, 12), ("allreduce", 0, 12, 12), ("reduce", 2, 12, 12), ("reduce", 0, 12, 0),
    ("allgather", 0, 12, 36), ("alltoall", 1, 36, 36), ("gather", 2, 12, 36), ("gather", 1, 12, 0),
    ("scatter", 2, 36, 12), ("scatter", 0, 0, 12), ("reduce_scatter", 1, 12, 4),
    ("reduce_scatter_block", 1, 36, 12), ("barrier", 0, 0, 0)])
def test_buffers_have_the_sizes_of_the_mpi_call(collective, rank, send, recv):
    assert tutti.Call(collective, 12, 4, 2, 3).buffer_bytes(rank) == (send, recv)


def failing(*steps, collective="allreduce"):
    """A program whose rank 1 runs the last of the steps, after a copy."""
    @tutti.algorithm(collective, name="failing")
    def program(me, call):
        yield me.copy(me.recvbuf, me.sendbuf)
        for step in steps:
            if me.id == 1:
                yield from step(me, call)
    return program


def one(operation):
    def step(me, call):
        yield operation(me, call)
    return step


def forgotten_yield(me, call):
    me.copy(me.recvbuf, me.sendbuf)
    yield me.compute(1)


def nothing_yielded(me, call):
    yield


def yielded_generator(me, call):
    yield programs.ring(me, call)


def never_waited(me, call):
    yield me.isend(0, me.sendbuf)


def waited_twice(me, call):
    request = yield me.isend(0, me.sendbuf)
    yield me.wait(request, request)


ERRORS = [
    (one(lambda me, call: me.send(4, me.sendbuf)), "destination 4 is not a rank of 0 to 3"),
    (one(lambda me, call: me.recv(-1, me.sendbuf)), "source -1 is not a rank of 0 to 3"),
    (one(lambda me, call: me.send(me.size / 4 + 1, me.sendbuf)), "destination 2.0 is not a rank"),
    (one(lambda me, call: me.send(1, me.sendbuf)), "destination 1 is the rank itself"),
    (one(lambda me, call: me.sendrecv(0, me.sendbuf, 9, me.recvbuf)), "source 9 is not a rank"),
    (one(lambda me, call: me.copy(me.recvbuf[8:20], me.sendbuf)),
     "slice [8:20] is not inside recvbuf of 16 B"),
    (one(lambda me, call: me.copy(me.recvbuf[-4:], me.sendbuf)),
     "slice [-4:16] is not inside recvbuf of 16 B"),
    (one(lambda me, call: me.copy(me.recvbuf[4:12][4:12], me.sendbuf)),
     "slice [4:12] is not inside recvbuf[4:12]"),
    (one(lambda me, call: me.copy(me.recvbuf[8:4], me.sendbuf)), "ends before it begins"),
    (one(lambda me, call: me.copy(me.recvbuf[0:8:2], me.sendbuf)), "has a step"),
    (one(lambda me, call: me.copy(me.recvbuf[3], me.sendbuf)), "recvbuf[3] is not a slice"),
    (one(lambda me, call: me.copy(me.recvbuf[:call.bytes / 2], me.sendbuf)),
     "8.0 is not a whole number of bytes"),
    (one(lambda me, call: me.copy(call.blocks[0], me.sendbuf)), "is not a slice of a buffer"),
    (one(lambda me, call: me.copy(me.recvbuf[:8], me.sendbuf)), "copy of unequal sizes"),
    (one(lambda me, call: me.combine(me.recvbuf[:8], me.sendbuf)), "combine of unequal sizes"),
    (one(lambda me, call: me.combine(me.recvbuf[2:6], me.sendbuf[2:6])),
     "combine of parts of elements"),
    (one(lambda me, call: me.copy(me.recvbuf[:8], me.recvbuf[4:12])), "slices that overlap"),
    (one(lambda me, call: me.compute(-1)), "invalid duration -1 s"),
    (one(lambda me, call: me.wait("r1")), "'r1' is not a request"),
    (forgotten_yield, "an operation was not yielded"),
    (nothing_yielded, "nothing was yielded"),
    (yielded_generator, "a generator was yielded"),
    (never_waited, "1 requests are never waited for: 1 sends, 0 receives"),
    (waited_twice, "request s1 is waited for twice"),
]


@pytest.mark.parametrize("step, message", ERRORS, ids=[each[1] for each in ERRORS])
def test_errors_name_the_rank_and_the_operation(step, message):
    with pytest.raises(tutti.Error) as caught:
        failing(step).schedule(4, 16, 4).text()
    assert message in caught.value.message
    number = 3 if step is waited_twice else 2
    assert caught.value.place.startswith(f"failing: rank 1 of 4, operation {number}")
    if step is not never_waited:
        assert "test_rank_programs.py:" in caught.value.place


def test_the_place_has_the_line_of_the_program():
    with pytest.raises(tutti.Error) as caught:
        failing(waited_twice).schedule(2, 16, 4).text()
    line = waited_twice.__code__.co_firstlineno + 2
    assert caught.value.place == (
        f"failing: rank 1 of 2, operation 3 (test_rank_programs.py:{line})")
    assert str(caught.value) == f"{caught.value.place}: request s1 is waited for twice"


def test_a_function_without_yield_is_rejected():
    @tutti.algorithm("bcast")
    def plain(me, call):
        me.send(1, me.recvbuf)
    with pytest.raises(tutti.Error, match="not a generator"):
        plain.schedule(2, 8).text()
    with pytest.raises(tutti.Error, match="unknown collective 'broadcast'"):
        tutti.algorithm("broadcast")
    with pytest.raises(tutti.Error, match=r"expected @tutti.algorithm\(COLLECTIVE\)"):
        tutti.algorithm(lambda me, call: None)


def helper(me):
    yield me.compute(0)


def calls_a_helper(me):
    helper(me)
    yield me.compute(0)


def test_a_forgotten_yield_from_is_found():
    @tutti.algorithm("bcast")
    def bare(me, call):
        yield me.compute(0)
        programs.binomial(me, call)

    @tutti.algorithm("bcast")
    def nested(me, call):
        yield from calls_a_helper(me)

    def local(me):
        yield me.compute(0)

    @tutti.algorithm("bcast")
    def closed(me, call):
        local(me)
        yield from local(me)
    line = bare.function.__code__.co_firstlineno + 3
    for program, callee, place in (
            (bare, "programs.binomial", f"bare (test_rank_programs.py:{line})"),
            (nested, "helper", "nested (test_rank_programs.py:"
             f"{calls_a_helper.__code__.co_firstlineno + 1})"),
            (closed, "local", f"closed (test_rank_programs.py:"
             f"{closed.function.__code__.co_firstlineno + 2})")):
        with pytest.raises(tutti.Error) as caught:
            program.schedule(2, 8).text()
        assert caught.value.message == f"the operations of '{callee}' are not yielded"
        assert caught.value.place == place
        assert caught.value.hint == f"write 'yield from {callee}(...)'"


def test_lines_of_a_schedule_have_places():
    schedule = programs.ring.schedule(3, 12, 4)
    line = programs.ring.function.__code__.co_firstlineno
    lines = schedule.text(requires=False).splitlines()
    for number, text in enumerate(lines[3:], start=4):
        place = schedule.place_of(number)
        if text == "}" or text.startswith("rank"):
            continue
        rank = sum(each.startswith("rank") for each in lines[:number]) - 1
        assert place.startswith(f"ring: rank {rank} of 3, operation ")
        if "combine" in text:
            assert place.endswith(f"(programs.py:{line + 10})")


def test_messages_without_receive_are_found_before_any_simulation(tmp_path):
    @tutti.algorithm("bcast")
    def program(me, call):
        if me.id == 0:
            yield me.send(1, me.recvbuf)
            yield me.send(1, me.recvbuf)
        if me.id == 1:
            yield me.recv(0, me.recvbuf)
    with pytest.raises(tutti.Error) as caught:
        program.schedule(2, 8).write(tmp_path / "file.goal")
    assert caught.value.message == ("message 2 from rank 0 to rank 1 (tag 0), of 8 B, is never "
                                    "received")
    line = program.function.__code__.co_firstlineno + 4
    assert caught.value.place == f"program: rank 0 of 2, operation 2 (test_rank_programs.py:{line})"
    assert caught.value.hint == "rank 1 receives 1 messages from rank 0 with tag 0"
    assert not (tmp_path / "file.goal").exists()


def test_receives_without_message_and_other_sizes_are_found():
    @tutti.algorithm("bcast")
    def unsent(me, call):
        if me.id == 1:
            yield me.recv(0, me.recvbuf, tag=5)
        yield me.compute(0)
    with pytest.raises(tutti.Error, match=r"message 1 from rank 0 to rank 1 \(tag 5\), of 8 B, is "
                       "never sent") as caught:
        unsent.schedule(2, 8).messages
    assert caught.value.place.startswith("unsent: rank 1 of 2, operation 1")

    @tutti.algorithm("bcast")
    def shorter(me, call):
        if me.id == 0:
            yield me.send(1, me.recvbuf[4:])
        else:
            yield me.recv(0, me.recvbuf)
    with pytest.raises(tutti.Error, match="has 4 B, its receive 8 B") as caught:
        shorter.schedule(2, 8).text()
    assert caught.value.place.startswith("shorter: rank 0 of 2, operation 1")
    assert "shorter: rank 1 of 2, operation 1" in caught.value.hint


def test_exceptions_of_a_program_carry_the_rank():
    @tutti.algorithm("bcast")
    def divides(me, call):
        yield me.compute(1 // (1 - me.id))
    with pytest.raises(ZeroDivisionError) as caught:
        divides.schedule(2, 8).text()
    assert caught.value.__notes__ == ["in divides: rank 1 of 2"]


def test_arguments_of_a_schedule_are_checked():
    with pytest.raises(tutti.Error, match="10 is not a multiple of element_bytes 4"):
        programs.ring.schedule(2, 10, 4)
    with pytest.raises(tutti.Error, match="root 2 is not a rank"):
        programs.binomial.schedule(2, 8, root=2)
    with pytest.raises(tutti.Error, match="invalid size '1 potato'"):
        programs.ring.schedule(2, "1 potato")
    for procs in ("4", 4.0, None):
        with pytest.raises(tutti.Error, match=f"invalid procs {procs!r}: expected a whole number"):
            programs.ring.schedule(procs=procs, message_size=8)
        with pytest.raises(tutti.Error, match=f"invalid procs {procs!r}: expected a whole number"):
            programs.binomial.prove(procs=[procs])
    assert programs.ring.schedule(2, "1.5KiB").call.bytes == 1536


def test_recording_is_fast(tmp_path):
    start = time.perf_counter()
    schedule = programs.ring.schedule(128, "64KiB", 4)
    schedule.write(tmp_path / "ring.goal", requires=False)
    rate = schedule.operations / (time.perf_counter() - start)
    assert rate > 50_000, f"{rate:.0f} operations/s"  # about 500,000 on a laptop
