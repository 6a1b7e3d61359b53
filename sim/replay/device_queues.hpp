// SPDX-License-Identifier: BSD-3-Clause
// The operations of accelerators. A trace does not contain the call of the host that starts an
// operation of a stream, nor the operations that a synchronization of the host waits for, but the
// times of its events show both.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/event.hpp"

namespace tutti::studies::replay {

using workloads::traces::Ticks;
using workloads::traces::TraceRank;

// The n-th call, or operation, of a location, from 0.
struct DeviceEvent {
  TraceRank location = 0;
  std::uint32_t number = 0;
};

// The activities of the host and the streams of a process, in the order of time.
struct DeviceTrace {
  struct Span {
    Ticks begin = 0, end = 0;
  };
  struct Wait {
    Span span;
    bool is_of_stream = false;  // for one stream; otherwise for all
  };
  std::vector<Span> launches, operations;  // of a host thread; of a stream
  std::vector<Wait> waits;
};

struct DeviceQueues {
  // By location (a stream) and operation: its launch.
  std::vector<std::vector<std::optional<DeviceEvent>>> launches;
  // By location (a thread of the host) and synchronization: the last operations that it waits for,
  // one of each stream.
  std::vector<std::vector<std::vector<DeviceEvent>>> awaited;
  // By location (a stream) and operation: whether some synchronization waits for it.
  std::vector<std::vector<bool>> is_awaited;
};

// `traces`: by location. `rank_of`: the rank of each location's process.
DeviceQueues device_queues(const std::vector<DeviceTrace>& traces,
                           const std::vector<TraceRank>& rank_of);

}  // namespace tutti::studies::replay
