// SPDX-License-Identifier: BSD-3-Clause
// The operations of accelerators, and what they and the calls of the host wait for. A trace
// contains neither the call that launches an operation, nor the streams and events of calls, nor
// the peers of a collective kernel, but the times of its events show most of them:
//
//   launch     device_launches.hpp
//   order      a call such as cudaStreamWaitEvent orders the operation that is launched next after
//              the operation that was launched before the record of the event
//   wait       of the host: for the operations that ended last before it did
//   collective device_collectives.hpp
//
// Where the times leave a choice, the likely cause applies, and others only in the replays that
// bound the effect (verdict.hpp).
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/call_kinds.hpp"
#include "sim/replay/verdict.hpp"

namespace tutti::studies::replay {

using workloads::traces::Ticks;
using workloads::traces::TraceRank;

// The n-th call that concerns accelerators, of a thread of the host, or the n-th operation of a
// stream, from 0.
struct DeviceEvent {
  TraceRank location = 0;
  std::uint32_t number = 0;
  bool operator==(const DeviceEvent&) const = default;
};

// The activities of the host and the streams of a process, in the order of time.
struct DeviceTrace {
  struct Span {
    Ticks begin = 0, end = 0;
    std::uint32_t region = 0;
    bool is_loop = false;  // of queries
  };
  std::vector<Span> calls, operations;  // of a host thread; of a stream
};

// What a call or an operation waits for: the begin of a call, or the end of an operation.
struct DeviceCause {
  std::uint32_t of = 0;  // the number of what waits
  DeviceEvent event;
  std::uint8_t in = everywhere;  // replays that it applies in

  static constexpr std::uint8_t bit(Unmodeled replay) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(replay));
  }
  bool applies(Unmodeled replay) const { return (in & bit(replay)) != 0; }
  static constexpr std::uint8_t everywhere = 7, likely = 5, possible = 4;
};

// A kernel of a collective.
struct DeviceMember {
  static constexpr std::uint32_t unknown = UINT32_MAX;
  std::uint32_t of = 0;  // the number of the operation
  std::uint32_t group = unknown;
  std::uint32_t size = 0;  // of the group
  bool is_certain = false;
};

struct DeviceQueues {
  // By location, in the order of what waits. At most one cause of an operation is a launch in each
  // replay.
  std::vector<std::vector<DeviceCause>> causes;
  // By location (a stream) and operation.
  std::vector<std::vector<bool>> is_awaited;       // something may wait for its end
  std::vector<std::vector<bool>> has_unknown;      // it may wait for anything before it begins
  std::vector<std::vector<DeviceMember>> members;  // by location, in order
  // By location and call: the time of the operation that it launches; empty if there are none.
  std::vector<std::vector<Ticks>> launched;
  // What the trace does not show, by number of calls and operations.
  struct Doubts {
    std::uint64_t launches = 0, orders = 0, waits = 0, collectives = 0;
    std::uint64_t sum() const { return launches + orders + waits + collectives; }
  } doubts;

  bool is_empty() const { return causes.empty(); }
};

// `traces`: by location; `kinds`: by region.
DeviceQueues device_queues(const std::vector<DeviceTrace>& traces,
                           const workloads::traces::TraceDefinitions& definitions);

}  // namespace tutti::studies::replay
