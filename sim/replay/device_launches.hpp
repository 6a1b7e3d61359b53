// SPDX-License-Identifier: BSD-3-Clause
// Finds the launches of the operations of a process. The operations of a stream run in the order of
// their launches, so that the order of begins gives each operation a launch if there is only one
// stream. With several streams, an operation that begins as soon after a launch as any other one
// does belongs to that launch; operations that waited get the others in order.
#pragma once

#include "sim/replay/device_names.hpp"
#include "sim/replay/device_queues.hpp"

namespace tutti::studies::replay {

struct DeviceLaunch {
  static constexpr std::uint32_t none = UINT32_MAX;
  // Numbers in LaunchedOperations::launches; none: unknown. The launch is not before `earliest` and
  // not after `latest`.
  std::uint32_t likely = none, earliest = none, latest = none;
  bool is_certain() const { return likely != none && earliest == likely && latest == likely; }
};

struct LaunchedOperations {
  struct Launch {
    Ticks time = 0;
    DeviceEvent call;
    DeviceEvent operation;  // its location is `none` if it is unknown
  };
  std::vector<Launch> launches;                                      // in the order of time
  std::unordered_map<TraceRank, std::vector<DeviceLaunch>> streams;  // by stream and operation
  Ticks latency = 0;  // shortest time from a launch to its kernel
};

// `streams`, `threads`: the locations of the process. `names`: by region.
LaunchedOperations find_launches(const std::vector<DeviceTrace>& traces,
                                 const std::vector<TraceRank>& streams,
                                 const std::vector<TraceRank>& threads,
                                 const std::vector<DeviceName>& names);

}  // namespace tutti::studies::replay
