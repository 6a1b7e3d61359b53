// SPDX-License-Identifier: BSD-3-Clause
// How far a replay can be trusted: the time in calls for which no dependency is modeled. Such calls
// keep their recorded time, whatever changes around them.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/event.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

struct Verdict {
  struct OfRegion {
    std::uint32_t region = 0;
    std::uint64_t calls = 0;
    workloads::traces::Ticks ticks = 0;
    double fraction = 0;  // of the time of all locations
  };
  std::vector<OfRegion> regions;  // largest first
  double fraction = 0;            // of all of them

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
    add(sums_[region * classes + 1 + static_cast<std::size_t>(std::bit_width(bytes))], ticks);
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
  static void add(Sum& sum, Ticks ticks) {
    ++sum.calls;
    sum.ticks += ticks;
    sum.least = std::min(sum.least, ticks);
  }
  std::vector<Sum> sums_;  // by region and class
};

}  // namespace tutti::studies::replay
