// SPDX-License-Identifier: BSD-3-Clause
// Accelerators in a replay: an operation of a stream waits for its launch, and a synchronization of
// the host waits for operations.
#pragma once

#include "sim/replay/replay_regions.hpp"

namespace tutti::studies::replay {

class StreamReplay {
 public:
  // Both arguments must outlive this object.
  StreamReplay(ReplayState& state, RegionReplay& regions)
      : state_(state), regions_(regions), ranks_(state.ranks.size()) {}

  // Begins an operation of a stream; returns false if it waits for its launch.
  bool begin_operation(RankState& me, const Event& event);
  // Ends the operation of the stream.
  void end_operation(const RankState& me);
  // Launches an operation at the begin of a call of the host.
  void launch(const RankState& me);
  // Adds the operations that a synchronization of the host waits for to Call::received; returns
  // false if they have not ended yet.
  bool gather_operations(RankState& me);

 private:
  struct OfLocation {
    // Of the host.
    std::uint32_t launched = 0;                                    // calls that launch operations
    RequestTable<Received> launches;                               // not begun yet
    std::unordered_map<std::uint32_t, TraceRank> awaiting_launch;  // streams, by launch
    std::size_t waits = 0;                                         // calls that wait for operations
    // Of a stream.
    std::uint32_t begun = 0, ended = 0;                // operations
    std::unordered_map<std::uint32_t, Received> ends;  // of operations that calls wait for
    std::vector<TraceRank> awaiting_end;               // locations of the host
  };
  Ticks operation_begin(const Times& last, const Received& launch, Ticks recorded);

  ReplayState& state_;
  RegionReplay& regions_;
  std::vector<OfLocation> ranks_;
};

}  // namespace tutti::studies::replay
