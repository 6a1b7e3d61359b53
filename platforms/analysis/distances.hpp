// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "platforms/graph.hpp"
#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// The neighbours of each vertex of a Graph, side by side in memory, and what they connect.

class Neighbours {
 public:
  enum class Direction : std::uint8_t { out, in, both };

  Neighbours(const Graph& graph, Direction direction);
  std::span<const std::uint32_t> of(std::uint32_t vertex) const {
    return {targets_.data() + starts_[vertex], targets_.data() + starts_[vertex + 1]};
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(starts_.size() - 1); }
  // Edges between each vertex and the nearest of `sources`; `unreachable` where there is no way.
  std::vector<std::uint32_t> distances(std::span<const std::uint32_t> sources) const;
  static constexpr std::uint32_t unreachable = UINT32_MAX;

 private:
  std::vector<std::uint64_t> starts_;
  std::vector<std::uint32_t> targets_;
};

// Two hosts of which the first has no way to the second; nothing if every host reaches every other.
std::optional<std::pair<std::uint32_t, std::uint32_t>> unconnected_hosts(const Graph& graph);

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

// Bytes per second from the lower half of the hosts (by number) to the upper one, over all ways of
// the network: a maximum flow. Infinite where only links without a limit lie between. Nothing for a
// network of more than 200,000 pairs of joined switches, and for a single host.
std::optional<double> bisection_Bps(const Topology& topology, const Graph& graph);

}  // namespace tutti::platforms
