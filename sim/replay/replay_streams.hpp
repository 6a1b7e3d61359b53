// SPDX-License-Identifier: BSD-3-Clause
// Accelerators in a replay: an operation of a stream waits for its launch and for operations of
// other streams, a kernel of a collective for its peers, and the host for operations
// (device_queues.hpp).
#pragma once

#include "sim/replay/replay_regions.hpp"

namespace tutti::studies::replay {

class StreamReplay {
 public:
  // Both arguments must outlive this object.
  StreamReplay(ReplayState& state, RegionReplay& regions)
      : state_(state), regions_(regions), ranks_(state.ranks.size()) {}

  // Whether an event outside of calls begins an operation, or ends one that waits for its peers.
  bool is_meeting(const RankState& me, const Event& event) const;
  // Processes the event; returns false if it waits for something.
  bool meet(RankState& me, const Event& event);
  // Whether the event may wait for anything that came before it in the trace.
  bool may_wait(const RankState& me, const Event& event) const;
  // Ends the operation of the stream.
  void end_operation(const RankState& me);

  // Begins a call of the host that concerns accelerators.
  void begin_call(const RankState& me);
  // Whether the current call waits for operations.
  bool awaits(const RankState& me);
  // Adds these operations to Call::received; returns false if they have not ended yet.
  bool gather_operations(RankState& me);
  // The time of the operations that the location has launched since a time of the trace, as
  // recorded.
  Ticks launched_since(const RankState& me, Ticks before) const;
  // Operations that continued although what they waited for had not happened.
  std::uint64_t released() const { return released_; }

 private:
  // A call of the host has begun.
  struct Signal {
    Times at;
    std::shared_ptr<const Marks> marks;
  };
  struct OfLocation {
    std::size_t next_cause = 0;
    // Of the host.
    std::vector<Signal> calls;
    std::vector<std::pair<std::uint32_t, TraceRank>> awaiting_call;  // streams, by call
    // Of a stream.
    std::uint32_t begun = 0, ended = 0;                // operations
    std::unordered_map<std::uint32_t, Received> ends;  // of operations that others wait for
    std::vector<TraceRank> awaiting_end;               // locations
    std::size_t next_member = 0;
  };
  // The kernels of a collective that have begun and not all ended.
  struct Collective {
    Times last_begin{INT64_MIN, INT64_MIN};
    std::uint32_t begun = 0, ended = 0;
    std::vector<TraceRank> waiting;
  };
  // What an operation waits for before it begins.
  struct Cause {
    Times at;
    std::shared_ptr<const Marks> marks;
    bool is_launch = false;
  };

  const DeviceQueues& devices() const { return state_.scan->devices; }
  std::span<const DeviceCause> causes_of(TraceRank location, std::uint32_t number);
  bool applies(const DeviceCause& cause) const {
    return cause.applies(state_.args.limits.unmodeled);
  }
  bool is_shortest() const { return state_.args.limits.unmodeled == Unmodeled::shortest; }
  bool has_happened(const DeviceEvent& event) const;
  bool await_causes(std::span<const DeviceCause> causes, TraceRank me, bool gives_up);
  // The collective that the current operation of the stream belongs to; null: none.
  const DeviceMember* member_of(const RankState& me) const;
  bool waits_for_peers(const DeviceMember& member) const;

  bool begin_operation(RankState& me, const Event& event);
  void begin_collective(const RankState& me);
  bool end_collective(RankState& me, const Event& event);
  Ticks earliest_begin(const RankState& me, const std::vector<Cause>& causes) const;
  Ticks operation_begin(const RankState& me, const std::vector<Cause>& causes, Ticks recorded,
                        const Cause*& decisive);

  ReplayState& state_;
  RegionReplay& regions_;
  std::vector<OfLocation> ranks_;
  std::unordered_map<std::uint32_t, Collective> collectives_;  // by group
  std::uint64_t released_ = 0;
};

}  // namespace tutti::studies::replay
