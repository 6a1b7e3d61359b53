// SPDX-License-Identifier: BSD-3-Clause
// The links that the messages of a critical path crossed.
#pragma once

#include <vector>

#include "sim/engines/inside/critical_path.hpp"
#include "sim/engines/inside/link_loads.hpp"

namespace tutti::engines {

struct PathLink {
  LinkLoad load;              // of the whole job
  std::int64_t messages = 0;  // of the path
  Seconds flow_s = 0;         // the time that their bytes moved
};

// The `most` of them with the highest utilisation, highest first; equal ones by number.
std::vector<PathLink> path_links(const std::vector<PathStep>& steps, const LinkLoads& loads,
                                 std::size_t most);

}  // namespace tutti::engines
