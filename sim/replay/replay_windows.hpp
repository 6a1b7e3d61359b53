// SPDX-License-Identifier: BSD-3-Clause
// One-sided communication in a replay: epochs of general active target synchronization, and the
// locks of windows.
#pragma once

#include "sim/replay/replay_state.hpp"
#include "sim/replay/rma.hpp"

namespace tutti::studies::replay {

class WindowReplay {
 public:
  // The state must outlive this object.
  explicit WindowReplay(ReplayState& state) : state_(state), ranks_(state.ranks.size()) {}

  // Processes a call of an epoch. Adds what it waits for to Call::received, and returns false if
  // that has not happened yet.
  bool gather_epoch(RankState& me, const Event& event);
  // The rank requests a lock, which it gets in the order of the requests.
  void request_lock(const RankState& me, const Event& event);
  // The same as gather_epoch() for a lock, at the event where it is acquired, or at the latest
  // released.
  bool gather_lock(RankState& me, const Event& event);
  // Releases the locks that the call releases, and notes its accesses. Requires the new times of
  // the call.
  void leave_call(RankState& me);

 private:
  struct HeldLock {
    Ticks begin = 0, end = 0;  // of the call that requests it, as recorded
    bool is_granted = false;
    std::size_t number = 0;  // of the rank's locks
  };
  struct OfRank {
    // The last MPI_Win_start of each window: enter and leave, as recorded.
    std::map<std::uint32_t, std::pair<Ticks, Ticks>> starts;
    std::map<Locks::Key, HeldLock> locks;
    // The ends of the last accesses in the current epochs, by window and target.
    std::map<std::pair<std::uint32_t, TraceRank>, Times> accesses;
    std::size_t lock_count = 0;
  };

  void send_epochs(RankState& me, const Event& event, Epochs::Kind kind);
  bool take_epochs(RankState& me, const Event& event, Epochs::Kind kind);
  Times take_access(TraceRank rank, std::uint32_t window, TraceRank target, Epochs::Kind kind);

  ReplayState& state_;
  std::vector<OfRank> ranks_;
  Epochs epochs_;
  Locks locks_;
};

}  // namespace tutti::studies::replay
