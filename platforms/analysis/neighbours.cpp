// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/analysis/neighbours.hpp"

#include <numeric>

namespace tutti::platforms {
namespace {

// Calls `use` with each edge in the direction asked for.
template <class Use>
void for_each_edge(const Graph& graph, Neighbours::Direction direction, const Use& use) {
  using Direction = Neighbours::Direction;
  for (const auto& edge : graph.edges) {
    if (direction != Direction::in || edge.both_ways) use(edge.from, edge.to);
    if (direction != Direction::out || edge.both_ways) use(edge.to, edge.from);
  }
}

}  // namespace

Neighbours::Neighbours(const Graph& graph, Direction direction)
    : starts_(graph.hosts + graph.switches.size() + 1, 0) {
  for_each_edge(graph, direction, [&](auto from, auto) { ++starts_[from + 1]; });
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  targets_.resize(starts_.back());
  auto next = starts_;
  for_each_edge(graph, direction, [&](auto from, auto to) { targets_[next[from]++] = to; });
}

std::vector<std::uint32_t> Neighbours::distances(std::span<const std::uint32_t> sources) const {
  std::vector<std::uint32_t> distance(count(), unreachable);
  std::vector<std::uint32_t> queue(sources.begin(), sources.end());
  for (const auto source : sources) distance[source] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const auto next : of(queue[i]))
      if (distance[next] == unreachable) {
        distance[next] = distance[queue[i]] + 1;
        queue.push_back(next);
      }
  return distance;
}

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
