// SPDX-License-Identifier: BSD-3-Clause
// The threads of a process in a replay. A thread that begins in a team waits for the fork, and the
// first thread waits at the join for all. Between teams, threads are idle.
#pragma once

#include "sim/replay/replay_regions.hpp"
#include "sim/replay/teams.hpp"

namespace tutti::studies::replay {

class ThreadReplay {
 public:
  // Both arguments must outlive this object.
  ThreadReplay(ReplayState& state, RegionReplay& regions)
      : state_(state), regions_(regions), ranks_(state.ranks.size()) {}

  // Whether meet() must process the event, which is outside of calls.
  bool is_meeting(const RankState& me, const Event& event) const;
  // Processes the event; returns false if it waits for another thread.
  bool meet(RankState& me, const Event& event);
  // The team whose barriers the thread takes part in; none: no team, or unknown.
  std::uint32_t barrier_team(const RankState& me) const;
  // Adds the idle time of all threads from their last event until the process ends.
  void finish();

 private:
  struct OfThread {
    std::optional<Received> fork;  // the last one, until its team begins
    std::vector<std::uint32_t> teams;
    std::optional<CollectiveNumber> ended_team;  // not joined yet
  };
  Received signal_of(const RankState& me) { return state_.last_event(me, Causes::unknown); }
  const std::vector<TraceRank>& members(std::uint32_t team) const {
    return state_.definitions().communicators[team].members;
  }

  void fork(RankState& me, const Event& event);
  bool begin_in_team(RankState& me, const Event& event);
  bool begin_team(RankState& me, Ticks time, std::uint32_t team);
  void begin_thread(RankState& me, Ticks time, const std::optional<Received>& fork);
  void end_in_team(RankState& me, const Event& event);
  bool join(RankState& me, const Event& event);
  void wait_for_ends(RankState& me, Ticks time, const Received& before, const Received& after);
  void signal_thread(RankState& me, const Event& event);
  bool await_thread(RankState& me, const Event& event);
  bool is_unrecorded_team(const RankState& me, const Event& event) const;
  bool begin_parallel(RankState& me, const Event& event);
  bool end_parallel(RankState& me, const Event& event);
  bool end_first_thread(RankState& me, Ticks time, const CollectiveNumber& number);

  ReplayState& state_;
  RegionReplay& regions_;
  std::vector<OfThread> ranks_;
  Teams teams_;
  ThreadSignals signals_;
};

}  // namespace tutti::studies::replay
