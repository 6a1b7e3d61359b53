// SPDX-License-Identifier: BSD-3-Clause
// Programs of one-sided communication.
#pragma once

#include "tests/support/truth/programs.hpp"

namespace tutti::tests::truth::programs {

template <class Body>
void with_window(Program& made, int iterations, const Body& body) {
  made.windows = 1;
  iterate(made, 1, [&](Script& me, int, int) { me.meet(call::win_create(0)); });
  iterate(made, iterations, body);
  iterate(made, 1, [&](Script& me, int, int) { me.meet(call::win_free(0)); });
}

// Each rank puts to the next one between fences.
inline Case fences(std::uint64_t seed = 0) {
  Program made(4);
  Noise noise(seed);
  with_window(made, 8, [&](Script& me, int rank, int i) {
    me.meet(call::fence(0));
    me.compute("foo", (1 + (rank + i) % 4) * ms + noise());
    me.add(Put{0, (rank + 1) % 4, 512});
    me.meet(call::fence(0));
    me.compute("bar", rank * 100 * us);
  });
  return {made};
}

// A ring of post, start, complete and wait: a rank's origin is its left neighbor.
inline Case epochs(bool does_start_wait, std::uint64_t seed = 0) {
  Program made(4);
  made.does_start_wait = does_start_wait;
  Noise noise(seed);
  using E = Epoch::Call;
  with_window(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (1 + (rank + i) % 4) * ms + noise());
    me.add(Epoch{E::post, 0, {(rank + 3) % 4}});
    me.compute("bar", (4 - rank) * 100 * us);
    me.add(Epoch{E::start, 0, {(rank + 1) % 4}});
    me.add(Put{0, (rank + 1) % 4, 512});
    me.compute("bar", 50 * us);
    me.add(Epoch{E::complete, 0});
    me.add(Epoch{E::wait, 0});
  });
  return {made, {.balance = "foo"}, false};
}

// Rank 0 exposes its memory to three origins that compute longer, or less, than it does.
inline Case one_target(bool does_start_wait, Epoch::Call end = Epoch::Call::wait) {
  Program made(4);
  made.does_start_wait = does_start_wait;
  using E = Epoch::Call;
  with_window(made, 8, [&](Script& me, int rank, int i) {
    me.compute("foo", (i % 2 == 0 ? 1 + rank : 4 - rank) * ms);
    if (rank == 0) {
      me.add(Epoch{E::post, 0, {1, 2, 3}});
      me.compute("bar", 700 * us);
      me.add(Epoch{end, 0});
    } else {
      me.add(Epoch{E::start, 0, {0}});
      me.add(Put{0, 0, 64});
      me.add(Epoch{E::complete, 0});
    }
  });
  return {made, {.balance = "foo"}, false};
}

// All lock the window of rank 0 and compute in it.
struct Locks {
  bool does_lock_wait = false;
  bool has_acquire_records = false;
  bool is_shared = false;
};
inline Program locking(const Locks& how) {
  Program made(4);
  made.does_lock_wait = how.does_lock_wait;
  made.has_acquire_records = how.has_acquire_records;
  return made;
}

// The ranks come in turn, also when foo takes half the time. With noise their order may change.
inline Case locks(const Locks& how, std::uint64_t seed = 0) {
  Program made = locking(how);
  Noise noise(seed);
  with_window(made, 8, [&](Script& me, int rank, int) {
    me.compute("foo", (10 + rank) * 100 * us + noise());
    me.compute("bar", rank * 20 * us);
    me.add(Lock{0, 0, how.is_shared});
    me.add(Put{0, 0, 64});
    me.compute("update", (8 - 2 * rank) * 100 * us);
    me.add(Unlock{0, 0});
  });
  return {made, {.scale = "foo", .factor = 0.5}, seed == 0};
}

// Low ranks come more often until foo is balanced; then the ranks come in turn.
inline Case reordered_locks(const Locks& how) {
  Program made = locking(how);
  with_window(made, 8, [&](Script& me, int rank, int) {
    me.compute("foo", (1 + rank) * 500 * us);
    me.compute("bar", rank * 20 * us);
    me.add(Lock{0, 0, how.is_shared});
    me.add(Put{0, 0, 64});
    me.compute("update", 600 * us);
    me.add(Unlock{0, 0});
  });
  return {made, {.balance = "foo"}, false};
}

}  // namespace tutti::tests::truth::programs
