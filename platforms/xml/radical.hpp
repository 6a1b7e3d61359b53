// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's list of host numbers: "0-15,20".
#pragma once

#include <string_view>
#include <vector>

#include "platforms/topologies/host_names.hpp"
#include "sim/base/result.hpp"

namespace tutti::platforms {

inline constexpr std::uint64_t most_hosts = 1 << 24;

// Ranges in the order given, neighbours joined. Malformed, reversed and repeated numbers and more
// than `most_hosts` are errors without a place.
Result<std::vector<IdRange>> parse_radical(std::string_view text);

}  // namespace tutti::platforms
