// SPDX-License-Identifier: BSD-3-Clause
// Programs whose senders wait for their receivers.
#pragma once

#include "tests/support/truth/programs.hpp"

namespace tutti::tests::truth::programs {

// The receiver computes longer than the sender.
inline Case late_receiver(std::uint64_t seed = 0) {
  Program made(2);
  Noise noise(seed);
  iterate(made, 8, [&](Script& me, int rank, int) {
    me.compute("foo", (rank == 0 ? 1 : 5) * ms + noise());
    if (rank == 0)
      me.ssend(1);
    else
      me.recv(0);
  });
  return {made};
}

// The receiver becomes late only by the change.
inline Case receiver_becomes_late() {
  Program made(2);
  iterate(made, 8, [&](Script& me, int rank, int) {
    me.compute(rank == 0 ? "foo" : "bar", (rank == 0 ? 5 : 1) * ms);
    if (rank == 0)
      me.ssend(1);
    else
      me.recv(0);
    me.compute("tail", (rank == 0 ? 1 : 2) * ms);
  });
  return {made, {.scale = "bar", .factor = 8}};
}

// Large messages wait for their receiver, small ones do not.
inline Case eager_and_rendezvous(std::uint64_t seed = 0) {
  Program made(2);
  Noise noise(seed);
  iterate(made, 8, [&](Script& me, int rank, int) {
    me.compute("foo", (rank == 0 ? 1 : 9) * ms + noise());
    for (const std::uint64_t bytes : {std::uint64_t{8}, KiB, 4 * MiB, 4 * KiB, std::uint64_t{100}})
      if (rank == 0)
        me.send(1, bytes);
      else
        me.recv(0, bytes);
  });
  return {made, {.balance = "foo"}, false};
}

// The same with no small message in front: which ones wait can be seen from the size alone.
inline Case rendezvous_only() {
  Program made(2);
  iterate(made, 8, [&](Script& me, int rank, int) {
    me.compute("foo", (rank == 0 ? 1 : 5) * ms);
    if (rank == 0)
      me.send(1, 4 * MiB);
    else
      me.recv(0, 4 * MiB);
  });
  return {made};
}

// The wait for a synchronous send is delayed, not the send. Either rank comes late in turn.
inline Case issend_wait(std::uint64_t seed = 0) {
  Program made(2);
  Noise noise(seed);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (rank == i % 2 ? 1 : 5) * ms + noise());
    const int request = rank == 0 ? me.issend(1) : me.irecv(0);
    me.compute("bar", 300 * us);
    me.wait(request);
  });
  return {made};
}

// A ring of large messages, completed together.
inline Case rendezvous_ring(std::uint64_t seed = 0) {
  Program made(4);
  Noise noise(seed);
  iterate(made, 8, [&](Script& me, int rank, int) {
    const int left = (rank + 3) % 4, right = (rank + 1) % 4;
    me.compute("foo", (1 + rank) * ms + noise());
    const int a = me.irecv(left, 128 * KiB), b = me.irecv(right, 128 * KiB, 1);
    const int c = me.isend(right, 128 * KiB), d = me.isend(left, 128 * KiB, 1);
    me.compute("bar", 100 * us);
    me.wait_all({a, b, c, d});
  });
  return {made};
}

// The receive is posted before a computation, so that the sender finds it.
inline Case early_post(std::uint64_t seed = 0) {
  Program made(2);
  Noise noise(seed);
  iterate(made, 8, [&](Script& me, int rank, int) {
    const int request = rank == 1 ? me.irecv(0, 1 * MiB) : 0;
    me.compute("foo", (rank == 0 ? 4 : 2) * ms + noise());
    if (rank == 0)
      me.send(1, 1 * MiB);
    else
      me.wait(request);
    me.compute("bar", (1 + rank) * ms);
  });
  return {made};
}

// All shift large messages to the right at once.
inline Case sendrecv_ring(std::uint64_t seed = 0) {
  Program made(4);
  Noise noise(seed);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (rank + i) % 4) * ms + noise());
    me.sendrecv((rank + 1) % 4, (rank + 3) % 4, 128 * KiB);
  });
  return {made};
}

// Synchronous sends along a chain; only its first half computes foo.
inline Case half_chain() {
  Program made(8);
  iterate(made, 8, [&](Script& me, int rank, int) {
    me.compute(rank < 4 ? "foo" : "bar", (rank < 4 ? 1 + rank : 2) * ms);
    if (rank > 0) me.recv(rank - 1);
    if (rank < 7) me.ssend(rank + 1);
  });
  return {made, {.scale = "foo", .factor = 0.5}};
}

inline Case chain() {
  Program made(8);
  iterate(made, 8, [&](Script& me, int rank, int) {
    me.compute("foo", (1 + rank) * ms + ms / 2);
    if (rank > 0) me.recv(rank - 1);
    if (rank < 7) me.ssend(rank + 1);
  });
  return {made};
}

// Sweeps over a grid of 3 x 3 ranks, with large messages.
inline Case wavefront(std::uint64_t seed = 0) {
  Program made(9);
  Noise noise(seed);
  iterate(made, 6, [&](Script& me, int rank, int) {
    const int x = rank % 3, y = rank / 3;
    if (x > 0) me.recv(rank - 1, 128 * KiB);
    if (y > 0) me.recv(rank - 3, 128 * KiB, 1);
    me.compute("foo", (1 + rank) * ms + noise() * 3);
    if (x < 2) me.send(rank + 1, 128 * KiB);
    if (y < 2) me.send(rank + 3, 128 * KiB, 1);
  });
  return {made};
}

// Without its empty messages, which are synchronous, a sender need not wait for its receiver.
inline Case empty_messages() {
  Program made(4);
  iterate(made, 8, [&](Script& me, int rank, int) {
    if (rank % 2 == 0) me.ssend(rank + 1, 0);
    me.compute("bar", (2 + rank % 2) * ms);
    if (rank % 2 == 1) me.recv(rank - 1, 0);
    me.meet(call::allreduce());
  });
  return {made, {.cuts_empty_messages = true}};
}

// Without a region in which synchronous messages go around.
inline Case region_of_messages() {
  Program made(4);
  iterate(made, 8, [&](Script& me, int rank, int) {
    me.compute("foo", (1 + rank) * ms);
    me.enter("exchange");
    if (rank > 0) me.recv(rank - 1);
    me.compute("bar", 300 * us);
    if (rank < 3) me.ssend(rank + 1);
    me.leave("exchange");
    me.compute("bar", (4 - rank) * ms);
    me.meet(call::barrier());
  });
  return {made, {.cut = "exchange"}, false};  // the gap before the region stays
}

// The sender's message is found by a probe.
inline Case probes(bool is_large) {
  Program made(2);
  const std::uint64_t bytes = is_large ? 1 * MiB : 2 * KiB;
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (rank == i % 2 ? 5 : 1) * ms);
    if (rank == 0) return me.send(1, bytes);
    me.probe(0);
    me.recv(0, bytes);
  });
  return {made, {.balance = "foo"}, false};
}

// The first event of each rank is the begin of a call, as of MPI_Init, that all begin together.
inline Program without_regions() {
  Program made(4);
  made.has_main = false;
  for (int rank = 0; rank < made.rank_count; ++rank) made.at(rank).meet(call::barrier());
  return made;
}

// Only calls of MPI are recorded.
inline Case nothing_but_mpi(const Change& change) {
  Program made = without_regions();
  iterate(made, 8, [&](Script& me, int rank, int) {
    me.compute("", (1 + rank) * ms);
    me.meet(call::allreduce());
  });
  return {made, change, false};
}

// The same with messages: two pieces of computation per iteration.
inline Case messages_but_no_regions(const Change& change) {
  Program made = without_regions();
  iterate(made, 8, [&](Script& me, int rank, int) {
    me.compute("", (1 + rank) * ms);
    if (rank % 2 == 0)
      me.ssend(rank + 1);
    else
      me.recv(rank - 1);
    me.compute("", (4 - rank) * ms / 2);
    me.meet(call::barrier());
  });
  return {made, change, false};
}

}  // namespace tutti::tests::truth::programs
