// SPDX-License-Identifier: BSD-3-Clause
// Traces whose ranks have a clock each, as those of EZTrace: shifts that put causes before effects.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/event.hpp"
#include "workloads/traces/trace.hpp"

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

// By how much to shift the clock of each rank, so that nothing happens before its cause.
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

struct ClockAlignment {
  std::vector<workloads::traces::Ticks> shifts;  // by rank; the first event of all stays at 0
  std::vector<std::string> notes;                // sentences about them
};

// From messages (their receive ends after their send began) and collectives (each member ends after
// those that it waits for have entered). Reads the trace once and some times more, until no
// collective says anything new. Clocks that violate no cause stay as they are.
ClockAlignment align_clocks(const workloads::traces::Trace& trace);

}  // namespace tutti::studies::replay
