// SPDX-License-Identifier: BSD-3-Clause
// A placement written down: CSV with the header "rank,node", '#' comments and blank lines; a
// byte order mark before it is skipped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platforms/machine.hpp"
#include "sim/base/result.hpp"

namespace tutti::platforms {

// The host of each rank below `procs`. A node is a host's name or its number (from 0); a name wins.
// Each rank must stand there exactly once. `file` is used in messages only.
Result<std::vector<HostId>> read_map(std::string_view text, const std::string& file,
                                     const Machine& machine, int procs);

}  // namespace tutti::platforms
