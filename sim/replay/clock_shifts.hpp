// SPDX-License-Identifier: BSD-3-Clause
// By how much to shift the clock of each rank, so that nothing happens before its cause.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "workloads/traces/event.hpp"

namespace tutti::studies::replay {

// Difference constraints: shift[cause] - shift[effect] <= most.
class ClockLimits {
 public:
  using Ticks = workloads::traces::Ticks;
  using TraceRank = workloads::traces::TraceRank;

  // Of a cause on one rank, and what came of it on another. Whether it says more than is known.
  bool add(TraceRank cause_rank, Ticks cause, TraceRank effect_rank, Ticks effect);

  template <class Visit>
  void each(const Visit& visit) const {
    for (const auto& [pair, most] : most_)
      visit(static_cast<TraceRank>(pair >> 32), static_cast<TraceRank>(pair), most);
  }
  std::size_t size() const { return most_.size(); }
  // Null: nothing is known.
  const Ticks* find(TraceRank cause, TraceRank effect) const;

 private:
  std::unordered_map<std::uint64_t, Ticks> most_;  // by cause, effect
};

struct ClockShifts {
  std::vector<ClockLimits::Ticks> shifts;  // by rank
  // By how much causes may still come after their effects: above 0 where clocks drift, so that no
  // constant shift suffices.
  ClockLimits::Ticks tolerance = 0;
  std::uint32_t groups = 0;  // of ranks, without a cause between them
};

// In the middle of what pairs of ranks leave, the narrowest pairs first; then moved as far as the
// other limits ask for. Where they contradict each other the tolerance is about the least possible.
ClockShifts clock_shifts(std::size_t ranks, const ClockLimits& limits);

}  // namespace tutti::studies::replay
