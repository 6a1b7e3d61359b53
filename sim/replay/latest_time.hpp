// SPDX-License-Identifier: BSD-3-Clause
// Limits of new times. A time that would overflow Ticks is limited to latest_time; the replay then
// stops with ReplayResult::is_beyond.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/event.hpp"

namespace tutti::studies::replay {

// A double represents it exactly. The sum of two of them, or of one and the longest trace (2^62
// ticks), does not overflow.
inline constexpr workloads::traces::Ticks latest_time =
    (workloads::traces::Ticks{1} << 62) - (workloads::traces::Ticks{1} << 9);
// Latest end of a valid result: TimeSpool uses two bits of each time.
inline constexpr workloads::traces::Ticks most_end = workloads::traces::Ticks{1} << 61;

inline workloads::traces::Ticks nearest_ticks(double ticks) {
  constexpr auto most = static_cast<double>(latest_time);
  return std::llround(std::clamp(ticks, -most, most));
}

// Requires that both are at most latest_time.
inline workloads::traces::Ticks later(workloads::traces::Ticks time, workloads::traces::Ticks by) {
  return std::min(time + by, latest_time);
}

}  // namespace tutti::studies::replay
