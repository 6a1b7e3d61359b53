// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "platforms/graph.hpp"
#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// Distances and bandwidth between the hosts of a network. Neighbours stores those of each vertex of
// a Graph contiguously.

class Neighbours {
 public:
  enum class Direction : std::uint8_t { out, in, both };

  Neighbours(const Graph& graph, Direction direction);
  std::span<const std::uint32_t> of(std::uint32_t vertex) const {
    return {targets_.data() + starts_[vertex], targets_.data() + starts_[vertex + 1]};
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(starts_.size() - 1); }
  // Number of edges between each vertex and the nearest of `sources`; `unreachable` if there is no
  // path.
  std::vector<std::uint32_t> distances(std::span<const std::uint32_t> sources) const;
  static constexpr std::uint32_t unreachable = UINT32_MAX;

 private:
  std::vector<std::uint64_t> starts_;
  std::vector<std::uint32_t> targets_;
};

// Two hosts without a path from the first to the second; unset if all hosts reach each other.
std::optional<std::pair<std::uint32_t, std::uint32_t>> unconnected_hosts(const Graph& graph);

struct Diameter {
  std::size_t links = 0;  // of the longest route between two hosts
  Seconds latency_s = 0;  // maximum over the routes; possibly of a different route
  HostId from = 0;        // ends of the longest route
  HostId to = 0;
  // Number of ordered pairs of hosts that the result covers: all, or those whose routes were
  // followed.
  std::uint64_t pairs = 0;
  bool all_pairs = true;
};

// The diameter along routes, as messages see it: of the route between the two farthest hosts if the
// topology determines them, else over all routes, or as many as fit in a second, spread over the
// hosts.
Diameter diameter(const Topology& topology);

// Bisection bandwidth in B/s: the maximum flow from the lower half of the hosts (by number) to the
// upper half. Infinite if only links without a limit lie in between. Unset for networks with more
// than 200,000 pairs of connected switches, and for a single host.
std::optional<double> bisection_Bps(const Topology& topology, const Graph& graph);

}  // namespace tutti::platforms
