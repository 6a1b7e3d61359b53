// SPDX-License-Identifier: BSD-3-Clause
// A placement written down: CSV with the header "rank,node", '#' comments and blank lines; a
// byte order mark before it is skipped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platforms/placement.hpp"
#include "sim/base/result.hpp"

namespace tutti::platforms {

inline constexpr std::string_view map_file_prefix = "file:";
// "block", "round-robin", "file:PATH". The `place` of the error is left empty.
Result<MapPolicy> parse_map_policy(std::string_view word);

// The host of each rank below `procs`. A node is a host's name or its number (from 0); a name wins.
// Each rank must stand there exactly once. `file` is used in messages only.
Result<std::vector<HostId>> read_map(std::string_view text, const std::string& file,
                                     const Machine& machine, int procs);

}  // namespace tutti::platforms
