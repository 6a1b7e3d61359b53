// SPDX-License-Identifier: BSD-3-Clause
// Regions and computation in a replay: the part that moves a location from one event outside of
// calls to the next, under the hypothesis.
#pragma once

#include "sim/replay/replay_state.hpp"

namespace tutti::studies::replay {

class RegionReplay {
 public:
  // Adds all locations to the state, which must outlive this object.
  explicit RegionReplay(ReplayState& state);

  const BalanceTargets& targets() const { return targets_; }
  // Processes the piece of computation before an event, and returns the new time of the event.
  // `call` is the region of the MPI call that begins, if any; `added` is computation that the trace
  // does not contain.
  Ticks arrive(RankState& me, Ticks time, std::uint32_t call = workloads::traces::none,
               Ticks added = 0);
  // The same for an event that comes after a cause, too: only the piece after both is computation.
  void arrive_after(RankState& me, Ticks time, const Times& cause);
  // Processes an event outside of calls that waits for nothing.
  void pass(RankState& me, const Event& event);
  // Enters a region; returns false if it is cut.
  bool enter(RankState& me, std::uint32_t region);
  void leave(RankState& me, std::uint32_t region);
  // Begins an instance outside of all regions if the location is there.
  void begin_outside(RankState& me);
  // Whether a call that begins now is cut.
  bool cuts(const RankState& me, std::uint32_t region) const {
    return me.is_cut() || (parts_[region].is_region & parts_.cuts() & me.frames.around()) != 0;
  }
  // Ends and begins the scales that depend on the first call of the region.
  void see_inner(RankState& me, std::uint32_t region) const {
    me.frames.top().seen |= parts_[region].is_inner;
  }
  // Writes the new time of an event.
  void emit(const RankState& me, Ticks before, Ticks after, bool keeps);
  // Writes the last event of the location, which is outside of calls.
  void emit_last(const RankState& me) { emit(me, me.last.before, me.last.after, !me.is_cut()); }
  // Whether new times, or their sums over all locations, exceed the limit.
  bool is_beyond() const;

 private:
  static Ticks changed_between(RankState& me, Ticks piece, std::uint32_t from, std::uint32_t to);

  ReplayState& state_;
  PartsOfRegions parts_;
  BalanceTargets targets_;
};

}  // namespace tutti::studies::replay
