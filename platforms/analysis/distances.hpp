// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "platforms/machine.hpp"

namespace tutti::platforms {

struct Diameter {
  std::size_t links = 0;  // on the longest route between two hosts
  Seconds latency_s = 0;  // the greatest of a route; maybe of another one
  HostId from = 0;        // of the longest route
  HostId to = 0;
  HostId sources = 0;  // hosts from which all routes were followed: all of them, or some
};

// Follows routes, so it is what messages meet. On large machines from some of the hosts (the first,
// and others at even distances), so that it stays within a second or two.
Diameter diameter(const Topology& topology);

}  // namespace tutti::platforms
