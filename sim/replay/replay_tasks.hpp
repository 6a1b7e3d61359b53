// SPDX-License-Identifier: BSD-3-Clause
// Work that the threads of a team share in a replay: tasks begin after they are created, a taskwait
// ends after the tasks, and the parts of tasks and loops may move to other threads (SharedWork).
#pragma once

#include "sim/replay/replay_regions.hpp"

namespace tutti::studies::replay {

class TaskReplay {
 public:
  // Both arguments must outlive this object.
  TaskReplay(ReplayState& state, RegionReplay& regions)
      : state_(state), regions_(regions), locations_(state.ranks.size()) {}

  // Whether meet() must process the event, which is outside of calls.
  bool is_meeting(const RankState& me, const Event& event) const;
  // Processes the event; returns false if it waits for another thread.
  bool meet(RankState& me, const Event& event);
  // The thread begins a barrier: its shared work is complete.
  void reach_barrier(RankState& me);

 private:
  using Task = std::pair<TraceRank, std::uint64_t>;  // of a process
  struct OfTask {
    std::optional<Received> created, completed;
    bool is_begun = false, is_awaited = true;
    std::vector<TraceRank> waiting;
  };
  struct OfLocation {
    std::uint64_t task = 0;                               // in execution
    Ticks begin = 0;                                      // its new time
    std::map<std::uint64_t, std::vector<Task>> children;  // since the last wait for them, by task
    // The loop.
    std::uint32_t depth = 0;  // of regions, with the loop itself
    Ticks loop_begin = 0, part_begin = 0;
    std::map<std::uint32_t, Ticks> largest;  // region in the loop, by its number
  };

  Task task_of(const RankState& me, const Event& event) const {
    return {state_.definitions().rank_of(me.rank), event.request};
  }
  void create(RankState& me, const Event& event);
  bool switch_to(RankState& me, const Event& event);
  void complete(RankState& me, const Event& event);
  bool await_children(RankState& me, const Event& event);
  void follow_loop(RankState& me, const Event& event);
  void add_part(RankState& me, Ticks ticks);
  void forget_children(OfLocation& mine, std::uint64_t task);
  void wait(RankState& me, Ticks time, const Times& cause, const Marks& marks);

  ReplayState& state_;
  RegionReplay& regions_;
  std::vector<OfLocation> locations_;
  std::map<Task, OfTask> tasks_;
};

}  // namespace tutti::studies::replay
