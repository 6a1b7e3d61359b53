# SPDX-License-Identifier: BSD-3-Clause
"""Rank programs of several collectives, for tests."""
import tutti


@tutti.algorithm("allreduce")
def ring(me, call):
    """Blocks travel around a ring twice: first combined, then distributed."""
    right, left = (me.id + 1) % me.size, (me.id - 1) % me.size
    incoming = me.scratch(call.blocks[0].stop)
    yield me.copy(me.recvbuf, me.sendbuf)
    for step in range(me.size - 1):
        own = me.recvbuf[call.blocks[(me.id - step) % me.size]]
        into = me.recvbuf[call.blocks[(me.id - step - 1) % me.size]]
        yield me.sendrecv(to=right, send=own, source=left, recv=incoming[:into.bytes])
        yield me.combine(into, incoming[:into.bytes])
    for step in range(me.size - 1):
        own = me.recvbuf[call.blocks[(me.id + 1 - step) % me.size]]
        into = me.recvbuf[call.blocks[(me.id - step) % me.size]]
        yield me.sendrecv(to=right, send=own, source=left, recv=into)


@tutti.algorithm("allgather")
def direct(me, call):
    """Each rank sends its block to all others at once."""
    yield me.copy(me.recvbuf[call.blocks[me.id]], me.sendbuf)
    requests = []
    for step in range(1, me.size):
        source = (me.id - step) % me.size
        requests.append((yield me.irecv(source, me.recvbuf[call.blocks[source]])))
    for step in range(1, me.size):
        requests.append((yield me.isend((me.id + step) % me.size, me.sendbuf)))
    yield me.wait_all(requests)


@tutti.algorithm("bcast")
def binomial(me, call):
    """A binomial tree."""
    yield from binomial_tree(me, call.root, me.recvbuf)


def binomial_tree(me, root, buffer):
    number = (me.id - root) % me.size
    distance = 1
    while distance < me.size and not number & distance:
        distance *= 2
    if number:
        yield me.recv((me.id - distance) % me.size, buffer)
    while distance > 1:
        distance //= 2
        if number + distance < me.size:
            yield me.send((me.id + distance) % me.size, buffer)


@tutti.algorithm("scan")
def chain(me, call):
    """Each rank combines the result of the rank before it with its own vector."""
    yield me.copy(me.recvbuf, me.sendbuf)
    if me.id > 0:
        before = me.scratch(call.bytes)
        yield me.recv(me.id - 1, before, tag=7)
        yield me.combine(me.recvbuf, before, left=True)
    if me.id + 1 < me.size:
        yield me.send(me.id + 1, me.recvbuf, tag=7)


@tutti.algorithm("reduce")
def linear(me, call):
    """All ranks send to the root, which waits in the order of the ranks."""
    if me.id != call.root:
        yield me.send(call.root, me.sendbuf)
        return
    yield me.copy(me.recvbuf, me.sendbuf)
    for source in range(me.size):
        if source != me.id:
            incoming = me.scratch(call.bytes)
            request = yield me.irecv(source, incoming)
            yield me.wait(request)
            yield me.combine(me.recvbuf, incoming)
