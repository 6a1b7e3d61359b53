// SPDX-License-Identifier: BSD-3-Clause
// Messages of many pairs at once, as benchmarks of contention send them (Ezibenroc's
// platform-calibration): how cards and links are shared.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "sim/runtime/rank.hpp"

namespace tutti::workloads {

enum class SharedPattern : std::uint8_t {
  send,           // the first half of the ranks sends to the second
  sendrecv_same,  // the same pairs exchange
  sendrecv_diff,  // a ring: to the next, from the one before
  alltoall        // a block for each
};
inline constexpr std::array<std::string_view, 4> shared_patterns = {"send", "sendrecv_same",
                                                                    "sendrecv_diff", "alltoall"};
std::optional<SharedPattern> shared_pattern(std::string_view name);
std::string_view pattern_name(SharedPattern pattern);

// Not of alltoall, which is a collective. `time_s`, which outlives the job, gets the last rank's.
runtime::Program shared_messages_program(SharedPattern pattern, Bytes bytes, Seconds& time_s);

}  // namespace tutti::workloads
