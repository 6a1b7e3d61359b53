// SPDX-License-Identifier: BSD-3-Clause
// Clock alignment for traces in which each rank has its own clock, such as those of EZTrace: shifts
// that put causes before effects. If clocks drift, shifts are piecewise linear in time.
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

  // Adds the constraint of a cause on one rank and its effect on another. Returns whether it is
  // tighter than the known one.
  bool add(TraceRank cause_rank, Ticks cause, TraceRank effect_rank, Ticks effect);

  template <class Visit>
  void each(const Visit& visit) const {
    for (const auto& [pair, most] : most_)
      visit(static_cast<TraceRank>(pair >> 32), static_cast<TraceRank>(pair), most);
  }
  std::size_t size() const { return most_.size(); }
  // The constraint of a cause and an effect on these ranks; null if there is none.
  const Ticks* find(TraceRank cause, TraceRank effect) const;

 private:
  std::unordered_map<std::uint64_t, Ticks> most_;  // by cause, effect
};

// Shifts of the ranks' clocks that put every event after its cause.
struct ClockShifts {
  std::vector<ClockLimits::Ticks> shifts;  // by rank
  // Largest remaining violation, in ticks: above 0 if clocks drift, so that no constant shift
  // suffices.
  ClockLimits::Ticks tolerance = 0;
  std::uint32_t groups = 0;  // groups of ranks without constraints between them
};

// Places clocks in the middle of the range that pairs of ranks permit, the narrowest pairs first,
// then moves them as far as the other limits require. If limits contradict each other, the
// tolerance is close to the smallest possible one.
ClockShifts clock_shifts(std::size_t ranks, const ClockLimits& limits);

struct ClockAlignment {
  // By location; the first event of all stays at 0.
  std::vector<workloads::traces::ClockCorrection> clocks;
  std::vector<std::string> notes;  // sentences about the shifts
};

// Uses messages (a receive ends after its send began) and collectives (each member ends after those
// that it waits for have entered). Reads the trace at least once, and again until no collective
// adds a constraint. If no constant shifts suffice, the trace is divided into 2, 4, ... 16
// segments, each of which determines the shifts in its middle, until no cause is after its effect.
// Clocks without violations are not changed.
ClockAlignment align_clocks(const workloads::traces::Trace& trace);

}  // namespace tutti::studies::replay
