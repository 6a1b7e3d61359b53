// SPDX-License-Identifier: BSD-3-Clause
// The shape of a machine's network: what is drawn, and what its diameter and bisection are computed
// from. Routes are not: they follow the topology's rule.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::platforms {

// Vertices 0 .. hosts - 1 are the hosts, then come the switches (routers, hubs).
struct Graph {
  struct Edge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t link = 0;  // a LinkId
    bool both_ways = false;  // one link that serves both directions
  };
  std::uint32_t hosts = 0;
  std::vector<std::string> switches;  // their names
  std::vector<Edge> edges;
};

}  // namespace tutti::platforms
