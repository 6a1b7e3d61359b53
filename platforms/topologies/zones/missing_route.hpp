// SPDX-License-Identifier: BSD-3-Clause
// Checks that the routes of a platform's zones connect all its hosts, in time and memory
// proportional to the size of the file.
#pragma once

#include "platforms/topologies/zones/zone_spec.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

struct RouteProblem {
  ZoneId zone = 0;
  std::string message;
  std::string hint;
};

// The first zone in which a host or an entry gateway cannot reach another host or an exit gateway,
// or through which routes may become too long; unset if there are routes between all hosts.
std::optional<RouteProblem> route_problem(const ZoneTreeSpec& spec);

}  // namespace tutti::platforms
