// SPDX-License-Identifier: BSD-3-Clause
// Properties of the paths of every topology: shortest paths and detours between random hosts are
// walks along the links of the graph, all different, and as long as breadth-first search finds.
#pragma once

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "platforms/analysis/distances.hpp"
#include "tests/support/topology_checks.hpp"

namespace tutti::tests {

using Links = std::vector<platforms::LinkId>;

inline Links shortest_of(const platforms::Topology& topology, const platforms::RouteEnds& ends,
                         std::uint32_t number) {
  Links links;
  topology.shortest_path(ends, number, links);
  return links;
}

inline Links detour_of(const platforms::Topology& topology, const platforms::RouteEnds& ends,
                       std::uint64_t number) {
  Links links;
  topology.detour(ends, number, links);
  return links;
}

inline std::string names_of(const platforms::Topology& topology, const Links& links) {
  std::string names;
  for (const auto id : links) names += (names.empty() ? "" : " ") + topology.link_name(id);
  return names;
}

// Follows links; the topology must have no limiters.
class Walks {
 public:
  explicit Walks(const platforms::Topology& topology)
      : graph_(topology.graph()), edges_(topology.link_count()) {
    for (const auto& edge : graph_.edges) edges_[edge.link].push_back(edge);
  }

  const platforms::Graph& graph() const { return graph_; }
  void check(platforms::HostId from, platforms::HostId to, const Links& links) const {
    std::uint32_t at = from;
    for (const auto id : links) {
      REQUIRE(id < edges_.size());
      REQUIRE(!edges_[id].empty());
      bool follows = false;
      for (const auto& edge : edges_[id]) {
        if (edge.from != at && !(edge.both_ways && edge.to == at)) continue;
        at = edge.from == at ? edge.to : edge.from;
        follows = true;
        break;
      }
      REQUIRE(follows);
    }
    REQUIRE(at == to);
  }

 private:
  platforms::Graph graph_;
  std::vector<std::vector<platforms::Graph::Edge>> edges_;  // by link
};

struct PathChecks {
  int pairs = 10'000;
  std::uint32_t most_paths = 40;  // of each pair
  bool fixed_is_shortest = true;  // else it may be longer
  bool shortest_in_graph = true;  // else breadth-first search may find shorter ones
  std::uint32_t seed = 1;
};

inline void check_paths_between(const platforms::Topology& topology, const Walks& walks,
                                const platforms::RouteEnds& ends, const PathChecks& checks,
                                std::uint32_t distance) {
  const auto there = ends.destination;
  Links fixed;
  topology.rail_route(ends, fixed);
  walks.check(ends.source, there, fixed);
  const auto count = topology.shortest_paths(ends);
  REQUIRE(count >= 1);
  std::set<Links> found;
  std::size_t length = 0;
  for (std::uint32_t i = 0; i < std::min(count, checks.most_paths); ++i) {
    const auto links = shortest_of(topology, ends, i);
    walks.check(ends.source, there, links);
    REQUIRE(found.insert(links).second);
    if (i == 0) length = links.size();
    REQUIRE(links.size() == length);
  }
  if (checks.shortest_in_graph)
    REQUIRE(length == distance);
  else
    REQUIRE(length >= distance);
  if (checks.fixed_is_shortest) REQUIRE(fixed.size() == length);
  walks.check(ends.source, there, shortest_of(topology, ends, count - 1));
  const platforms::RouteEnds back{ends.destination, ends.source, ends.destination_rail,
                                  ends.source_rail};
  REQUIRE(topology.shortest_paths(back) == count);
  REQUIRE(shortest_of(topology, back, 0).size() == length);
  const auto detours = topology.detours(ends);
  REQUIRE(topology.detours(back) == detours);
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(detours, checks.most_paths); ++i) {
    const auto links = detour_of(topology, ends, detours - 1 - i);
    walks.check(ends.source, there, links);
    REQUIRE(found.insert(links).second);
    REQUIRE(links.size() >= distance);
  }
}

// Random pairs of different hosts with random NICs, grouped by source for the search.
inline void check_paths(const platforms::Topology& topology, const PathChecks& checks = {}) {
  const Walks walks(topology);
  const platforms::Neighbours neighbours(walks.graph(), platforms::Neighbours::Direction::out);
  std::mt19937 random(checks.seed);
  const auto below = [&](std::uint32_t end) {
    return static_cast<std::uint32_t>(random() % std::uint64_t{end});
  };
  const auto hosts = topology.host_count();
  REQUIRE(hosts > 1);
  constexpr int pairs_per_source = 50;
  for (int done = 0; done < checks.pairs; done += pairs_per_source) {
    const std::uint32_t source[] = {below(hosts)};
    const auto distances = neighbours.distances(source);
    for (int i = 0; i < pairs_per_source; ++i) {
      const auto destination = (source[0] + 1 + below(hosts - 1)) % hosts;
      const auto rail = below(topology.rails());
      check_paths_between(topology, walks, {source[0], destination, rail, rail}, checks,
                          distances[destination]);
    }
  }
}

}  // namespace tutti::tests
