// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/analysis/connectivity.hpp"

#include "platforms/analysis/neighbours.hpp"

namespace tutti::platforms {

std::optional<std::pair<std::uint32_t, std::uint32_t>> unconnected_hosts(const Graph& graph) {
  using Direction = Neighbours::Direction;
  constexpr std::uint32_t first[] = {0};
  // All are reached from the first and reach it: then each reaches each.
  for (const auto direction : {Direction::out, Direction::in}) {
    const auto distance = Neighbours(graph, direction).distances(first);
    for (std::uint32_t host = 0; host < graph.hosts; ++host)
      if (distance[host] == Neighbours::unreachable)
        return direction == Direction::out ? std::pair(0U, host) : std::pair(host, 0U);
  }
  return std::nullopt;
}

}  // namespace tutti::platforms
