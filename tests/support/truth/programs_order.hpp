// SPDX-License-Identifier: BSD-3-Clause
// Programs that poll, that take messages and work in the order of time, and whose waits leave no
// record.
#pragma once

#include "tests/support/truth/programs.hpp"

namespace tutti::tests::truth::programs {

// What is between the tests of a loop that waits.
struct Polling {
  bool peeks = false;          // MPI_Iprobe instead of MPI_Test
  Time body = 2 * us;          // a region in the loop; 0: none
  bool is_wrapped = false;     // each test in a region of its own
  bool has_two_kinds = false;  // in turn with an MPI_Iprobe for a message that never comes
};

inline void poll(Script& me, const Polling& how, int from, int request) {
  const std::size_t begin = me.actions.size();
  if (how.is_wrapped) me.enter("progress");
  if (how.has_two_kinds) me.add(Peek{from, 99});
  if (how.peeks)
    me.add(Peek{from});
  else
    me.add(Complete{"MPI_Test", {request}});
  if (how.is_wrapped) me.leave("progress");
  me.add(Again{me.actions.size() - begin});
  if (how.body == 0) return;
  // The body comes after a failed test only.
  me.actions.insert(me.actions.begin() + static_cast<std::ptrdiff_t>(begin),
                    Compute{"body", how.body});
  me.actions.back() = Again{me.actions.size() - 1 - begin};
}

inline Case polls(const Polling& how, std::uint64_t seed = 0) {
  Program made(2);
  Noise noise(seed);
  iterate(made, 6, [&](Script& me, int rank, int) {
    const int request = rank == 1 && !how.peeks ? me.irecv(0) : 0;
    me.compute("foo", (rank == 0 ? 5 : 1) * ms + noise());
    if (rank == 0) return me.send(1);
    poll(me, how, 0, request);
    if (how.peeks) me.recv(0);
  });
  return {made, {.balance = "foo"}, false};
}

// Tests divide a computation that must be done anyway.
inline Case divided(std::uint64_t seed = 0) {
  Program made(2);
  Noise noise(seed);
  iterate(made, 6, [&](Script& me, int rank, int) {
    const int request = rank == 1 ? me.irecv(0) : 0;
    me.compute("foo", (rank == 0 ? 3 : 1) * ms + noise());
    if (rank == 0) return me.send(1);
    for (int piece = 0; piece < 8; ++piece) {
      me.compute("bar", 300 * us);
      me.add(Complete{"MPI_Test", {request}});
    }
    me.wait(request);
  });
  return {made, {.scale = "foo", .factor = 0.5}, false};
}

// All write to a file together.
inline Case file_calls(std::uint64_t seed = 0) {
  Program made(4);
  Noise noise(seed);
  iterate(made, 1, [&](Script& me, int, int) { me.meet(call::of_file("open")); });
  iterate(made, 6, [&](Script& me, int rank, int) {
    me.compute("foo", (1 + rank) * ms + noise());
    me.meet(call::of_file("write_all"));
    me.compute("bar", 200 * us);
  });
  iterate(made, 1, [&](Script& me, int, int) { me.meet(call::of_file("close")); });
  return {made};
}

// Two halves with a file each: the trace does not show which ranks share a file.
inline Case two_files() {
  Program made(4);
  made.add_comm({.name = "half 0", .members = {0, 1}});
  made.add_comm({.name = "half 1", .members = {2, 3}});
  iterate(made, 6, [&](Script& me, int rank, int) {
    me.compute("foo", (1 + rank) * ms);
    Meet write = call::of_file("write_all");
    write.comm = 1 + rank / 2;
    me.meet(write);
  });
  iterate(made, 1, [&](Script& me, int, int) { me.meet(call::barrier()); });
  return {made};
}

// A call of unknown effect that synchronizes.
inline Case unknown_calls(std::uint64_t seed = 0) {
  Program made(4);
  Noise noise(seed);
  iterate(made, 6, [&](Script& me, int rank, int) {
    me.compute("foo", (1 + rank) * ms + noise());
    Meet meet = call::finalize();
    meet.region = "MPI_Session_init";
    me.meet(meet);
    me.compute("bar", 200 * us);
  });
  return {made};
}

// The master handles results in the order of arrival, after it has posted all receives.
inline Case waits_any(const Change& change, std::uint64_t seed = 0) {
  Program made(4);
  Noise noise(seed);
  iterate(made, 6, [&](Script& me, int rank, int i) {
    me.compute("foo", (rank == 0 ? 0 : 1 + (rank + i) % 3) * ms + noise());
    if (rank > 0) {
      me.compute("bar", rank * 700 * us);
      me.send(0);
    } else {
      std::vector<int> requests;
      for (int from = 1; from < 4; ++from) requests.push_back(me.irecv(from));
      for (int n = 0; n < 3; ++n) {
        me.wait_any(requests);
        me.compute("handle", 600 * us);
      }
    }
    me.meet(call::barrier());
  });
  return {made, change, false};
}

// The same with blocking receives from any source; `replies`: the next round of a rank begins when
// the master has answered it.
inline Case receives_any(const Change& change, bool replies, std::uint64_t seed = 0) {
  Program made(4);
  Noise noise(seed);
  constexpr int rounds = 6;
  for (int rank = 1; rank < 4; ++rank)
    for (int i = 0; i < rounds; ++i) {
      Script& me = made.at(rank);
      me.compute("foo", (1 + (rank + i) % 3) * ms + noise());
      me.compute("bar", rank * 500 * us);
      me.send(0);
      if (replies) me.recv(0, 8, 1);
    }
  for (int n = 0; n < 3 * rounds; ++n) {
    Script& me = made.at(0);
    me.add(RecvAny{{1, 2, 3}});
    me.compute("handle", 400 * us);
    if (replies) me.add(Reply{1});
  }
  return {made, change, false};
}

// Ranks take work from a counter; `bar` is different on each rank.
inline Case counter(const Change& change, std::uint64_t seed = 0) {
  Program made(4);
  Noise noise(seed);
  std::vector<Time> pieces;
  for (int i = 0; i < 40; ++i) pieces.push_back((1 + i % 5) * 300 * us + noise());
  for (int rank = 0; rank < 4; ++rank) {
    made.at(rank).compute("bar", (1 + rank) * 2 * ms);
    made.at(rank).add(Draw{"foo", pieces});
    made.at(rank).meet(call::barrier());
  }
  return {made, change, false};
}

// Each rank waits for a flag of its left neighbor.
inline Case flags(const Change& change) {
  Program made(4);
  made.windows = 1;
  iterate(made, 6, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (rank + i) % 4) * ms);
    me.add(Flag{"shmem_put", (rank + 1) % 4});
    me.add(AwaitFlag{"shmem_wait_until", (rank + 3) % 4});
    me.compute("bar", 100 * us);
  });
  return {made, change, false};
}

// The last rank is started by the first one.
inline Case spawned(const Change& change) {
  Program made(3);
  made.at(0).compute("foo", 4 * ms);
  made.at(0).add(Flag{"MPI_Comm_spawn", 2});
  made.at(2).add(AwaitFlag{"", 0});
  for (int rank = 0; rank < 3; ++rank) made.at(rank).compute("bar", (1 + rank) * ms);
  return {made, change, false};
}

}  // namespace tutti::tests::truth::programs
