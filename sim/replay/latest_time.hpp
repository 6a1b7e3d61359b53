// SPDX-License-Identifier: BSD-3-Clause
// New times that a hypothesis or a model makes too late for Ticks stop here, instead of going
// round: the replay ends, and its result says that it is beyond (ReplayResult::is_beyond).
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/event.hpp"

namespace tutti::studies::replay {

// A double holds it; two of them, or one and what a trace lasts (2^62 ticks), have a sum.
inline constexpr workloads::traces::Ticks latest_time =
    (workloads::traces::Ticks{1} << 62) - (workloads::traces::Ticks{1} << 9);
// Of a result: what writes times has two bits of its own beside them.
inline constexpr workloads::traces::Ticks most_end = workloads::traces::Ticks{1} << 61;

inline workloads::traces::Ticks nearest_ticks(double ticks) {
  constexpr auto most = static_cast<double>(latest_time);
  return std::llround(std::clamp(ticks, -most, most));
}

// Both are at most latest_time.
inline workloads::traces::Ticks later(workloads::traces::Ticks time, workloads::traces::Ticks by) {
  return std::min(time + by, latest_time);
}

}  // namespace tutti::studies::replay
