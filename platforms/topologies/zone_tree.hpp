// SPDX-License-Identifier: BSD-3-Clause
// A platform of nested zones. Routes are found as in SimGrid: the innermost common zone of two
// hosts has a route between its two children (zones or hosts) that contain them. It leads from
// gateway to gateway; the routes to the first gateway and from the last one are found recursively.
//
// Link numbers: the links listed in the file, then the links of each cluster, then the loopbacks.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/topologies/zones/zone_spec.hpp"

namespace tutti::platforms {

// The spec must have routes between all hosts (missing_route.hpp).
std::unique_ptr<const Topology> make_zone_tree(ZoneTreeSpec spec);

}  // namespace tutti::platforms
