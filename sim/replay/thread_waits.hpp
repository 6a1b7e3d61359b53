// SPDX-License-Identifier: BSD-3-Clause
// Where threads wait for locks and condition variables. Records of locks show it, or, in a process
// without them, the names of regions: `!$omp critical`, pthread_mutex_lock. Locks without records
// have no names: all of a process are one, unless their owners overlap in time.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/call_kinds.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

// What happens to a lock or a condition variable at an event of a location.
struct ThreadWait {
  using Ticks = workloads::traces::Ticks;
  static constexpr std::uint32_t none = workloads::traces::none;
  static constexpr Ticks never = -(Ticks{1} << 61);  // long before any event

  enum class Kind : std::uint8_t { acquire, release, signal } kind = Kind::acquire;
  bool is_critical = false;     // a critical section of OpenMP; otherwise a mutex
  bool may_wait = false;        // for a condition, which the thread tested, or for a time
  std::uint64_t position = 0;   // of the event in its location
  std::uint32_t lock = none;    // index into ThreadWaits::locks; none: unknown
  std::uint32_t number = 0;     // of the acquisition of the lock; or of the signal
  std::uint32_t signal = none;  // that ends the wait for a condition
  // The wait lasts from the preceding event of the location to `acquired`, which is not after the
  // event.
  Ticks acquired = 0;
  Ticks released = never;  // by the owner before; `never`: nobody had it
};

struct ThreadLock {
  workloads::traces::TraceRank rank = 0;  // of the process
  bool is_fifo = true;                    // it was granted in the order of the requests
  bool shows_order = false;               // also to threads that waited at the same time
  bool is_one = false;                    // certainly; otherwise it may be several locks
};

struct ThreadWaits {
  std::vector<std::vector<ThreadWait>> of;  // by location, by position
  std::vector<ThreadLock> locks;
  std::vector<std::uint32_t> takers;  // waits that a signal ends, by its number

  bool is_empty() const { return of.empty(); }
};

// `kinds`: by region. Empty if the trace has no threads. Memory: 64 bytes per acquisition.
ThreadWaits find_thread_waits(const workloads::traces::Trace& trace,
                              const std::vector<CallKind>& kinds);

// Follows the waits of a location whose events are read in order.
class ThreadWaitCursor {
 public:
  ThreadWaitCursor(const ThreadWaits& waits, workloads::traces::TraceRank location)
      : waits_(waits.is_empty() ? std::span<const ThreadWait>{} : waits.of[location]) {}

  // The end of the wait before the event with this position; empty if it waits for no lock.
  std::optional<ThreadWait::Ticks> end_before(std::uint64_t position) {
    while (!waits_.empty() && waits_.front().position < position) waits_ = waits_.subspan(1);
    if (waits_.empty() || waits_.front().position != position ||
        waits_.front().kind != ThreadWait::Kind::acquire)
      return std::nullopt;
    return waits_.front().acquired;
  }

 private:
  std::span<const ThreadWait> waits_;
};

}  // namespace tutti::studies::replay
