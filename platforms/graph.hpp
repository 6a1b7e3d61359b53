// SPDX-License-Identifier: BSD-3-Clause
// The graph of a machine's network, from which it is drawn and its bisection is computed. Routes do
// not use it: they follow the rule of the topology.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::platforms {

// Vertices 0 to hosts - 1 are the hosts, followed by the switches (routers, hubs).
struct Graph {
  struct Edge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t link = 0;  // a LinkId
    bool both_ways = false;  // a single link for both directions
  };
  std::uint32_t hosts = 0;
  std::vector<std::string> switches;  // names
  std::vector<Edge> edges;
};

}  // namespace tutti::platforms
