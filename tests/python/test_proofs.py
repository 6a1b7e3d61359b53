# SPDX-License-Identifier: BSD-3-Clause
"""Rank programs on the engines of the program."""
import re

import programs
import pytest

import tutti

ALL = [programs.ring, programs.direct, programs.binomial, programs.chain, programs.linear]


@pytest.mark.parametrize("program", ALL, ids=lambda each: each.name)
def test_correct_programs_are_proven(program):
    table = program.prove(procs=[1, 2, 3, 8, 13])
    roots = 2 if program.collective in ("bcast", "reduce") else 1
    assert len(table) == 3 * (4 * roots + 1)
    messages = table[table["message_bytes"] == 1024].set_index("procs")["messages"]
    expected = {"ring": 2 * 13 * 12, "direct": 13 * 12, "binomial": 12, "chain": 12, "linear": 12}
    assert set(messages[[13]]) == {expected[program.name]}


def test_wrong_results_fail():
    @tutti.algorithm("allreduce")
    def wrong(me, call):
        yield me.copy(me.recvbuf, me.sendbuf)
        other = me.scratch(call.bytes)
        partner = me.id ^ 1
        yield me.sendrecv(partner, me.sendbuf, partner, other)
        yield me.combine(me.recvbuf, other)
    assert len(wrong.prove(procs=2)) == 3
    with pytest.raises(tutti.Error) as caught:
        wrong.prove(procs=4)
    assert caught.value.__notes__ == ["not proven: wrong with 4 ranks"]


def test_deadlocks_fail():
    @tutti.algorithm("allgather")
    def waits(me, call):
        other = me.id ^ 1
        yield me.copy(me.recvbuf[call.blocks[me.id]], me.sendbuf)
        yield me.recv(other, me.recvbuf[call.blocks[other]])
        yield me.send(other, me.sendbuf)
    line = waits.function.__code__.co_firstlineno + 4
    calls = [lambda: waits.prove(procs=4),
             lambda: tutti.run("allgather", algorithm=waits, platform="crill", procs=4,
                               message_size="64KiB")]
    for call in calls:
        with pytest.raises(tutti.Error) as caught:
            call()
        error = caught.value
        assert error.place == f"waits: rank 0 of 4, operation 2 (test_proofs.py:{line})"
        assert re.fullmatch(r"deadlock: waits for the receive of \d+ B from rank 1 \(tag 0\)",
                            error.message)
        assert error.hint == "all wait for each other: post irecv before send, or use sendrecv"
        assert ".goal" not in str(error)
        if call is calls[0]:
            assert "(8 more errors)" in str(error)


def test_a_deadlock_names_where_its_message_was_started():
    @tutti.algorithm("barrier")
    def waits(me, call):
        other = 1 - me.id
        yield me.compute(1e-6)
        request = yield me.irecv(other)
        yield me.compute(1e-6)
        yield me.wait(request)
        yield me.send(other)
    with pytest.raises(tutti.Error) as caught:
        waits.prove(procs=2)
    line = waits.function.__code__.co_firstlineno
    assert caught.value.place == f"waits: rank 0 of 2, operation 4 (test_proofs.py:{line + 6})"
    assert caught.value.message.endswith(
        f"(tag 0), started by operation 2 (test_proofs.py:{line + 4})")


def test_reports_keep_four_errors_and_all_warnings():
    from tutti._places import Places
    schedule = programs.ring.schedule(2, 8, 4)
    places = Places("ring", "/tmp/folder", lambda file: {"2-0-8.goal": schedule}[file])
    report = "".join(f"/tmp/folder/2-0-8.goal:{5 + each}: error: problem {each}\n"
                     f"help: step {each}\n\n" for each in range(6))
    report += "sim: warning: allreduce goal:/tmp/folder/{procs}-0.goal, 8 B: text\n"
    lines = places.rewritten(report).splitlines()
    assert lines[0] == "ring: rank 0 of 2, operation 1 (programs.py:11): error: problem 0"
    assert lines[9].endswith("error: problem 3 (2 more errors)") and lines[10] == "help: step 3"
    assert lines[12:] == ["sim: warning: allreduce ring, 8 B: text"]


def test_failed_points_are_warned_of_with_places():
    @tutti.algorithm("allgather")
    def sends_first(me, call):  # a deadlock above the eager limit
        other = 1 - me.id
        yield me.copy(me.recvbuf[call.blocks[me.id]], me.sendbuf)
        yield me.send(other, me.sendbuf)
        yield me.recv(other, me.recvbuf[call.blocks[other]])
    with pytest.warns(tutti.SimulationWarning, match="deadlock: waits for the send of") as caught:
        table = tutti.run("allgather", algorithm=sends_first, platform="crill", procs=2,
                          message_size=[8, "1MiB"])
    assert list(table["message_bytes"]) == [8]
    assert all(".goal" not in str(each.message) for each in caught)


def test_a_proof_needs_verified_data():
    @tutti.algorithm("allreduce")
    def through_the_first(me, call):
        if me.id == 0:
            yield me.copy(me.recvbuf, me.sendbuf)
            incoming = me.scratch(call.bytes)
            for source in range(1, me.size):
                yield me.recv(source, incoming)
                yield me.combine(me.recvbuf, incoming)
            for other in range(1, me.size):
                yield me.send(other, me.recvbuf)
        else:
            yield me.send(0, me.sendbuf)
            yield me.recv(0, me.recvbuf)
    assert len(through_the_first.prove(procs=1024, message_size=4)) == 1
    with pytest.raises(tutti.Error, match="not verified: too many contributions to compare "
                       r"\(1025 ranks, 4 B\)") as caught:
        through_the_first.prove(procs=1025, message_size=4)
    assert caught.value.__notes__ == ["not proven: through_the_first with 1025 ranks"]
    with pytest.raises(tutti.Error):
        through_the_first.prove(procs=4, benchmark="osu")


def test_a_program_that_reports_no_verification_proves_nothing(monkeypatch):
    from tutti import _runs
    run = _runs.run
    monkeypatch.setattr(_runs, "run", lambda *words, **options: run(*words, **options).drop(
        columns="data_verified"))
    with pytest.raises(tutti.Error, match="does not verify data"):
        programs.ring.prove(procs=2)
    monkeypatch.setattr(_runs, "run", lambda *words, **options: run(*words, **options).assign(
        data_verified=[None, True, True]))
    with pytest.raises(tutti.Error, match="not verified"):
        programs.ring.prove(procs=2)


def test_a_program_that_is_applicable_to_no_call_proves_nothing():
    @tutti.algorithm("bcast")
    def never(me, call):
        raise tutti.NotApplicable("no call is supported")
        yield
    with pytest.warns(tutti.SimulationWarning, match="no call is supported") as caught:
        with pytest.raises(tutti.Error, match="never: nothing to prove"):
            never.prove(procs=[2, 3])
    assert caught[0].filename == __file__


def test_operands_in_the_order_of_ranks_are_demanded_on_request():
    assert len(programs.chain.prove(procs=[2, 5], commutative=False)) == 6

    @tutti.algorithm("scan")
    def reversed_chain(me, call):
        yield me.copy(me.recvbuf, me.sendbuf)
        if me.id > 0:
            before = me.scratch(call.bytes)
            yield me.recv(me.id - 1, before)
            yield me.combine(me.recvbuf, before)  # the operand belongs on the left
        if me.id + 1 < me.size:
            yield me.send(me.id + 1, me.recvbuf)
    assert len(reversed_chain.prove(procs=5)) == 3
    with pytest.raises(tutti.Error):
        reversed_chain.prove(procs=5, commutative=False)


def test_rank_programs_and_names_are_compared_in_one_table():
    table = tutti.run("allreduce", algorithm=["recursive_doubling", programs.ring, "ring"],
                      platform="crill", procs=[4, 16], message_size="1KiB:4KiB", element_bytes=4)
    expected = ["recursive_doubling"] * 6 + ["ring (Python)"] * 6 + ["ring"] * 6
    assert list(table["algorithm"]) == expected
    assert list(table["requested_algorithm"]) == expected
    own, library = table[6:12], table[12:]
    for column in ("procs", "message_bytes", "messages", "wire_bytes"):
        assert list(own[column]) == list(library[column])
    ratio = own["time_s"].to_numpy() / library["time_s"].to_numpy()
    assert (0.8 < ratio).all() and (ratio < 1.3).all()  # the library posts receives early
    assert "goal:" in table.attrs["command"]


def test_rank_programs_of_one_name_are_rejected():
    def copies(me, call):
        yield me.copy(me.recvbuf, me.sendbuf)
    pair = [tutti.algorithm("allreduce")(copies), tutti.algorithm("allreduce")(copies)]
    with pytest.raises(tutti.Error, match="two rank programs are named 'copies'") as caught:
        tutti.run("allreduce", algorithm=pair, platform="crill", procs=2, message_size=8)
    assert caught.value.hint == '@tutti.algorithm("allreduce", name=...)'
    pair[1] = tutti.algorithm("allreduce", name="other")(copies)
    table = tutti.run("allreduce", algorithm=pair, platform="crill", procs=2, message_size=8)
    assert list(table["algorithm"]) == ["copies", "other"]


def test_a_program_with_the_operations_of_the_library_takes_the_same_time():
    options = dict(platform="crill", procs=13, ppn=4, message_size=[64, 65536], root=5)
    own = tutti.run("bcast", algorithm=programs.binomial, **options)

    @tutti.algorithm("bcast")
    def basic_linear(me, call):
        if me.id != call.root:
            yield me.recv(call.root, me.recvbuf)
            return
        requests = []
        for other in range(me.size):
            if other != me.id:
                requests.append((yield me.isend(other, me.recvbuf)))
        yield me.wait_all(requests)
    # The name is that of an algorithm of the program.
    linear = tutti.run("bcast", algorithm=[basic_linear, "basic_linear"], **options)
    assert list(linear["time_s"][:2]) == pytest.approx(list(linear["time_s"][2:]), rel=1e-9)
    assert (own["time_s"].to_numpy() < linear["time_s"][:2].to_numpy()).all()


def test_the_ring_of_open_mpi_takes_the_time_of_that_in_the_library():
    @tutti.algorithm("allreduce", name="same ring")
    def ring(me, call):
        right, left = (me.id + 1) % me.size, (me.id - 1) % me.size
        incoming = [me.scratch(call.blocks[0].stop) for _ in range(2)]
        yield me.copy(me.recvbuf, me.sendbuf)
        for step in (1, 2):
            yield me.allocate(me.recvbuf[call.blocks[(me.id - step) % me.size]].bytes)
        following = None
        for step in range(me.size):
            into = me.recvbuf[call.blocks[(me.id - step) % me.size]]
            coming = me.recvbuf[call.blocks[(me.id - step - 1) % me.size]].bytes
            if step > 0:
                yield me.send(right, me.recvbuf[call.blocks[(me.id - step + 1) % me.size]])
            current = following
            if step + 1 < me.size:
                following = yield me.irecv(left, incoming[step % 2][:coming])
            if step > 0:
                yield me.wait(current)
                yield me.combine(into, incoming[(step - 1) % 2][:into.bytes], left=True)
        for step in range(me.size - 1):
            own, into = (me.recvbuf[call.blocks[(me.id + 1 - step - each) % me.size]]
                         for each in (0, 1))
            yield me.sendrecv(to=right, send=own, source=left, recv=into)

    ring.prove(procs=[3, 8], message_size=[12, 1000], element_bytes=4)
    for options in (dict(platform="leonardo", procs=24, ppn=1),
                    dict(platform="crill", procs=13, ppn=4)):
        table = tutti.run("allreduce", algorithm=[ring, "ring"], element_bytes=4,
                          message_size=[1024, 65536, 1 << 20], **options)
        assert list(table["time_s"][:3]) == pytest.approx(list(table["time_s"][3:]), rel=1e-9)


def test_points_that_a_program_does_not_support_are_omitted():
    @tutti.algorithm("bcast")
    def pairs(me, call):
        if me.size != 2:
            raise tutti.NotApplicable("P must be 2")
        if me.id == call.root:
            yield me.send(1 - me.id, me.recvbuf)
        else:
            yield me.recv(call.root, me.recvbuf)
    with pytest.warns(tutti.SimulationWarning, match="pairs is omitted for 3 processes, 8 B: P"):
        table = tutti.run("bcast", algorithm=pairs, platform="crill", procs=[2, 3], message_size=8)
    assert list(table["procs"]) == [2]
    with pytest.raises(tutti.Error, match="'pairs' is a rank program of bcast"):
        tutti.run("allreduce", algorithm=pairs, platform="crill", procs=2)


def test_schedule_files_are_simulated(tmp_path):
    file = programs.direct.schedule(4, 4096).write(tmp_path / "direct.goal")
    table = tutti.schedule(file, platform="crill")
    library = tutti.run("allgather", platform="crill", procs=4, message_size=4096,
                        algorithm=programs.direct)
    assert table["time_s"].iloc[0] == pytest.approx(library["time_s"].iloc[0], rel=1e-6)
    packed = programs.direct.schedule(4, 4096).write(tmp_path / "direct.goal.gz")
    both = tutti.schedule([file, packed], platform="crill", ppn=2)
    assert list(both["algorithm"]) == [f"goal:{file}", f"goal:{packed}"]
    assert both["time_s"].nunique() == 1
    with pytest.raises(tutti.Error, match="the list is empty"):
        tutti.schedule([], platform="crill")
