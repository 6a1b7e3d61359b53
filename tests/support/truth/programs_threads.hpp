// SPDX-License-Identifier: BSD-3-Clause
// Programs of threads that wait for locks and conditions, and that share out work.
#pragma once

#include "tests/support/truth/programs.hpp"

namespace tutti::tests::truth::programs {

inline Change scaled(const std::string& region, double factor) {
  return {.scale = region, .factor = factor};
}

struct LockUse {
  int ranks = 1;
  int threads = 4;
  bool is_critical = true;
  bool has_records = true;
  bool has_blocks = true;
  bool is_fair = true;
  Time held = 200 * us;
};

// Threads do `foo`, unequally, then `inside` as owners of a lock, several times.
inline Case contended(const LockUse& use, const Change& change, std::uint64_t seed = 0) {
  Program made(use.ranks, use.threads);
  made.has_mpi = use.ranks > 1;
  made.has_lock_records = use.has_records;
  made.has_blocks = use.has_blocks;
  made.is_fair = use.is_fair;
  Noise noise(seed);
  iterate(made, 6, [&](Script& me, int rank, int i) {
    me.compute("serial", 100 * us);
    parallel(made, rank, [&](Script& thread, int index) {
      for (int n = 0; n < 4; ++n) {
        thread.compute("foo", (1 + (index + n + i) % 4) * 150 * us + noise());
        thread.add(Acquire{0, use.is_critical});
        thread.compute("inside", use.held + index * 10 * us);
        thread.add(Release{0, use.is_critical});
      }
    });
    if (made.has_mpi) me.meet(call::allreduce());
  });
  return {made, change};
}

// One thread produces items that another one waits for.
inline Case queue(Time produces, Time consumes, const Change& change, bool has_records = true) {
  Program made(1, 2);
  made.has_mpi = false;
  made.has_lock_records = has_records;
  iterate(made, 2, [&](Script& me, int rank, int) {
    me.compute("serial", 100 * us);
    parallel(made, rank, [&](Script& thread, int index) {
      for (int n = 0; n < 10; ++n) {
        if (index == 0) thread.compute("produce", produces + n % 3 * 50 * us);
        thread.add(Acquire{0, false});
        if (index == 0)
          thread.add(Produce{0});
        else
          thread.add(Consume{0});
        thread.add(Release{0, false});
        if (index == 1) thread.compute("consume", consumes);
      }
    });
  });
  return {made, change, false};
}

// The first thread creates tasks, which all run in a barrier.
inline Case tasks(int ranks, const Change& change, int count = 4, std::uint64_t seed = 0) {
  Program made(ranks, 4);
  made.has_mpi = ranks > 1;
  Noise noise(seed);
  iterate(made, 6, [&](Script& me, int rank, int i) {
    me.compute("serial", 100 * us);
    parallel(made, rank, [&](Script& thread, int index) {
      thread.compute("bar", (1 + (index + i) % 4) * 100 * us);
      for (int n = 0; n < count && index == 0; ++n)
        thread.add(Create{n % 3 == 0 ? "bar" : "foo", (1 + n % 4) * 300 * us + noise()});
      thread.add(TaskBarrier{});
      thread.compute("bar", 50 * us);
    });
    if (made.has_mpi) me.meet(call::allreduce());
  });
  return {made, change};
}

// A loop whose iterations go to the threads that are idle.
inline Case dynamic_loop(int ranks, const Change& change, std::uint64_t seed = 0) {
  Program made(ranks, 4);
  made.has_mpi = ranks > 1;
  Noise noise(seed);
  int loop = 0;
  iterate(made, 6, [&](Script& me, int rank, int) {
    std::vector<std::pair<std::string, Time>> iterations;
    for (int n = 0; n < 20; ++n)
      iterations.emplace_back(n % 3 == 0 ? "bar" : "foo", (1 + n % 5) * 100 * us + noise());
    ++loop;
    me.compute("serial", 100 * us);
    parallel(made, rank, [&](Script& thread, int) {
      thread.enter("!$omp for @code.f:2");
      thread.add(Iterate{loop, iterations});
      thread.add(Barrier{"!$omp implicit barrier @code.f:3"});
      thread.leave("!$omp for @code.f:2");
    });
    if (made.has_mpi) me.meet(call::allreduce());
  });
  return {made, change, false};
}

// The second thread of each rank sends a message to the next rank, which computes `bar` after it.
inline Case sends_of_workers(const Change& change) {
  Program made(3, 2);
  iterate(made, 4, [&](Script& me, int rank, int) {
    parallel(made, rank, [&](Script& thread, int index) {
      thread.compute("foo", (1 + index) * 200 * us);
      if (index == 1) thread.send((rank + 1) % 3);
    });
    me.recv((rank + 2) % 3);
    me.compute("bar", 300 * us);
  });
  return {made, change, false};
}

}  // namespace tutti::tests::truth::programs
