// SPDX-License-Identifier: BSD-3-Clause
// Programs of collectives: rooted, nonblocking, of neighbors, and those that create something.
#pragma once

#include "tests/support/truth/programs.hpp"

namespace tutti::tests::truth::programs {

// In each iteration another rank comes late, once as root and once as member of each collective.
inline Case rooted(Library library, const std::vector<Meet>& calls, std::uint64_t seed = 0) {
  Program made(4);
  made.library = library;
  Noise noise(seed);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    for (const Meet& each : calls) {
      me.compute("foo", (1 + (rank + i) % 4) * ms + noise());
      me.meet(each);
    }
  });
  return {made};
}

inline Case one_to_all(Library library, std::uint64_t seed = 0) {
  return rooted(library, {call::bcast(0), call::scatter(2), call::barrier()}, seed);
}
inline Case all_to_one(Library library, std::uint64_t seed = 0) {
  return rooted(library, {call::reduce(1), call::gather(3), call::barrier()}, seed);
}
inline Case scans(Library library, std::uint64_t seed = 0) {
  return rooted(library, {call::scan(), call::exscan()}, seed);
}

// The dissertation's example: higher ranks compute longer.
inline Case scan_only(Library library) {
  Program made(4);
  made.library = library;
  iterate(made, 8, [&](Script& me, int rank, int) {
    me.compute("foo", (1 + rank) * ms);
    me.meet(call::scan());
    me.compute("bar", (4 - rank) * ms);
  });
  return {made};
}

// One nonblocking collective at a time, overlapped with `bar`.
inline Case overlapped(const Meet& what, Time bar = 500 * us, std::uint64_t seed = 0) {
  Program made(4);
  Noise noise(seed);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (rank + i) % 4) * ms + noise());
    const int request = me.start(what);
    me.compute("bar", bar);
    me.wait(request);
  });
  return {made, {.balance = "foo"}, bar < 4 * ms};  // then no wait shows what it takes
}

// Two at once, completed in reverse order.
inline Case reversed(std::uint64_t seed = 0) {
  Program made(4);
  Noise noise(seed);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (rank + i) % 4) * ms + noise());
    const int first = me.start(call::iallreduce());
    me.compute("bar", rank * ms);
    const int second = me.start(call::ialltoall());
    me.compute("bar", 200 * us);
    me.wait(second);
    me.wait(first);
  });
  return {made};
}

inline Case together(std::uint64_t seed = 0) {
  Program made(4);
  Noise noise(seed);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (rank + i) % 4) * ms + noise());
    const int first = me.start(call::ibcast(i % 4));
    const int second = me.start(call::ibarrier());
    const int third = me.start(call::ialltoall());
    me.compute("bar", 200 * us);
    me.wait_all({first, second, third});
  });
  return {made};
}

// With messages in the same MPI_Waitall.
inline Case with_messages() {
  Program made(4);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (rank + i) % 4) * ms);
    const int in = me.irecv((rank + 3) % 4), out = me.isend((rank + 1) % 4);
    const int sum = me.start(call::iallreduce());
    me.compute("bar", 200 * us);
    me.wait_all({in, out, sum});
  });
  return {made};
}

// Rows and columns of 2 x 2 ranks.
inline Case in_rows_and_columns(std::uint64_t seed = 0) {
  Program made(4);
  Noise noise(seed);
  made.add_comm({.name = "row 0", .members = {0, 1}});
  made.add_comm({.name = "row 1", .members = {2, 3}});
  made.add_comm({.name = "column 0", .members = {0, 2}});
  made.add_comm({.name = "column 1", .members = {3, 1}});
  iterate(made, 8, [&](Script& me, int rank, int) {
    me.compute("foo", (1 + rank * rank) * ms + noise());
    const int row = me.start(call::iallreduce(1 + rank / 2));
    me.compute("bar", 200 * us);
    const int column = me.start(call::ibcast(1, 3 + rank % 2));
    me.compute("bar", rank * ms);
    me.wait(row);
    me.wait(column);
  });
  return {made};
}

// Tests between pieces of computation, then a wait.
inline Case tested(const Meet& what) {
  Program made(4);
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (rank + i) % 4) * ms);
    const int request = me.start(what);
    for (int piece = 0; piece < 5; ++piece) {
      me.compute("bar", 20 * us);
      me.add(Complete{"MPI_Test", {request}});
    }
    me.wait(request);
  });
  return {made};
}

// Tests until one succeeds: a wait that polls.
inline Case polled(const Meet& what) {
  Program made(4);
  iterate(made, 4, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (rank + i) % 4) * ms);
    const int request = me.start(what);
    me.test_until_done(request);
  });
  return {made, {.balance = "foo"}, false};
}

// Polls for a message.
inline Case polled_message() {
  Program made(2);
  iterate(made, 4, [&](Script& me, int rank, int) {
    const int request = rank == 1 ? me.irecv(0) : 0;
    me.compute("foo", (rank == 0 ? 5 : 1) * ms);
    if (rank == 0)
      me.send(1);
    else
      me.test_until_done(request);
  });
  return {made, {.balance = "foo"}, false};
}

struct Grid {
  std::vector<int> dims;
  bool is_described = true;
  bool is_periodic = true;
};

// Neighbors meet; the ranks in the middle of the order compute longest.
inline Case neighbors(const Grid& grid, bool is_blocking = true, std::uint64_t seed = 0) {
  int ranks = 1;
  for (const int size : grid.dims) ranks *= size;
  Program made(ranks);
  Noise noise(seed);
  const int comm = made.add_comm({.name = "grid",
                                  .members = made.comms[0].members,
                                  .dims = grid.dims,
                                  .is_periodic = grid.is_periodic,
                                  .is_described = grid.is_described});
  iterate(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (7 * rank + 3 * i) % ranks) * ms + noise());
    if (is_blocking) return me.meet(call::neighbors(comm));
    const int request = me.start(call::ineighbors(comm));
    me.compute("bar", 300 * us);
    me.wait(request);
  });
  return {made, {.balance = "foo"}, grid.is_described};
}

// MPI_Finalize ends for all after the last rank.
inline Case late_finalize() {
  Program made(4);
  iterate(made, 1, [&](Script& me, int rank, int) {
    me.compute("foo", (1 + rank) * ms);
    me.meet(call::finalize());
    me.compute("bar", 2 * ms);
  });
  return {made};
}

// Communicators are created by calls that synchronize.
inline Case splits() {
  Program made(4);
  for (const auto& [name, members] : std::vector<std::pair<std::string, std::vector<int>>>{
           {"half 0", {0, 1}}, {"half 1", {2, 3}}, {"copy", {0, 1, 2, 3}}})
    made.add_comm({.name = name, .members = members, .is_created = true});
  iterate(made, 1, [&](Script& me, int rank, int) {
    me.compute("foo", (1 + rank) * ms);
    me.meet(call::creates("Comm_split", 0, 1 + rank / 2));
    me.compute("foo", (4 - rank) * ms);
    me.meet(call::creates("Comm_dup", 0, 3));
    me.compute("foo", (1 + rank % 2) * ms);
    me.meet(call::barrier(1 + rank / 2));
  });
  return {made};
}

}  // namespace tutti::tests::truth::programs
