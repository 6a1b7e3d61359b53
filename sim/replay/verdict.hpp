// SPDX-License-Identifier: BSD-3-Clause
// How far a replay can be trusted: the time in calls for which no dependency is modeled, and how
// far they may move the end. Such calls keep their recorded time, whatever changes around them.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/event.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

// What a replay assumes about calls without a modeled dependency. All events of the really changed
// program lie between those of the last two.
enum class Unmodeled : std::uint8_t {
  recorded,  // they keep their recorded time
  shortest,  // they wait for nothing
  longest    // they may wait for everything that came before their end in the trace
};

class CallTimeSums;

struct Limits {
  Unmodeled unmodeled = Unmodeled::recorded;
  // The calls that only send, of a replay with `recorded`; required otherwise.
  const CallTimeSums* sends = nullptr;
  bool begins_late = false;     // processes are started by others
  bool has_free_locks = false;  // threads never wait for locks
};

// What a replay found whose order, in the trace, was decided by time.
struct Reordered {
  using Ticks = workloads::traces::Ticks;

  std::uint64_t overtaken = 0;  // times that another request completed first
  std::uint64_t counted = 0;    // times that another rank would have counted first
  // Bound of the effect of all of them, unless work moves from one rank to another.
  Ticks ticks = 0;
  bool moves_work = false;
  Ticks largest_share = 0;  // the longest time between two of these calls

  bool any() const { return overtaken + counted > 0; }
};

// Locks of threads that the really changed program may grant in another order.
struct LockDoubts {
  std::uint64_t acquisitions = 0;
  // The time for which threads have these locks: no thread waits longer for them.
  workloads::traces::Ticks ticks = 0;
};

struct Verdict {
  using Ticks = workloads::traces::Ticks;

  struct OfRegion {
    std::uint32_t region = 0;
    std::uint64_t calls = 0;
    Ticks ticks = 0;
    double fraction = 0;  // of the time of all locations
  };
  std::vector<OfRegion> regions;  // largest first
  // Without a change: that of all regions. Otherwise the bound: how far the new end may be off,
  // relative to the really changed program's.
  double fraction = 0;
  bool is_bound = false;
  bool has_unknown = false;  // calls that may wait for anything
  // The end depends on whether some sends or collectives wait, which the trace does not show.
  bool has_doubtful_waits = false;
  std::uint64_t of_devices = 0;  // dependencies of accelerators that are not certain
  Reordered reordered;
  LockDoubts locks;
  std::uint64_t conditions = 0;   // locks whose owners may have to wait for a condition
  std::uint64_t shared_work = 0;  // loops and tasks that other threads of the team may get
  bool has_limits() const { return has_unknown || conditions + shared_work > 0; }

  // Sets the bound. The end of the really changed program is between `earliest` and `latest`.
  void set_bound(Ticks end, Ticks earliest, Ticks latest);

  static constexpr double warning_fraction = 0.01;  // a larger one deserves a warning
  static constexpr double trust_fraction = 0.1;     // beyond, suggestions are not ranked
};

// "12.3 %"; two significant digits of less than 1 %.
std::string percent_text(double fraction);

class CallTimeSums {
 public:
  using Ticks = workloads::traces::Ticks;

  explicit CallTimeSums(std::size_t regions) : sums_(regions * classes) {}

  // Adds a call without any modeled dependency.
  void add_unmodeled(std::uint32_t region, Ticks ticks) { add(sums_[region * classes], ticks); }
  // Adds a call that only sends and completes at once: its excess over the shortest call of its
  // size has no modeled cause.
  void add_local(std::uint32_t region, std::uint64_t bytes, Ticks ticks) {
    add(sums_[place(region, bytes)], ticks);
  }
  // The shortest of these calls of the region and size.
  Ticks least_local(std::uint32_t region, std::uint64_t bytes) const {
    return sums_[place(region, bytes)].least;
  }
  // `total`: the time of all locations.
  Verdict verdict(Ticks total) const;

 private:
  static constexpr std::size_t classes = 66;  // of calls that are not modeled, and by size
  struct Sum {
    std::uint64_t calls = 0;
    Ticks ticks = 0;
    Ticks least = INT64_MAX;
  };
  static std::size_t place(std::uint32_t region, std::uint64_t bytes) {
    return region * classes + 1 + static_cast<std::size_t>(std::bit_width(bytes));
  }
  static void add(Sum& sum, Ticks ticks) {
    ++sum.calls;
    sum.ticks += ticks;
    sum.least = std::min(sum.least, ticks);
  }
  std::vector<Sum> sums_;  // by region and class
};

}  // namespace tutti::studies::replay
