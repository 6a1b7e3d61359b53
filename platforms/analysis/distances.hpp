// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "platforms/machine.hpp"

namespace tutti::platforms {

struct Diameter {
  std::size_t links = 0;  // on the longest route between two hosts
  Seconds latency_s = 0;  // the greatest of a route; maybe of another one
  HostId from = 0;        // of the longest route
  HostId to = 0;
  // Ordered pairs of two hosts for which this holds: all, or those whose routes were followed.
  std::uint64_t pairs = 0;
  bool all_pairs = true;
};

// Follows routes, so it is what messages meet: that between the two farthest hosts where the
// topology knows them, else all routes, or as many as a second allows, spread over the hosts.
Diameter diameter(const Topology& topology);

}  // namespace tutti::platforms
