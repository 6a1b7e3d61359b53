// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/switch_cluster.hpp"

#include "platforms/topology_description.hpp"

namespace tutti::platforms {

void SwitchCluster::route(HostId source, HostId destination, std::vector<LinkId>& links) const {
  leave(source, links);
  if (source == destination) {
    if (split()) links.push_back(down(source));
    return;
  }
  const auto from = switch_of(source);
  const auto to = switch_of(destination);
  if (from != to) path(from, to, destination % fixed_paths(from, to), links);
  arrive(destination, links);
}

std::uint32_t SwitchCluster::shortest_paths(const RouteEnds& ends) const {
  const auto from = switch_of(ends.source);
  const auto to = switch_of(ends.destination);
  if (from == to) return 1;
  return saturating_count(paths(from, to));
}

void SwitchCluster::shortest_path(const RouteEnds& ends, std::uint32_t number,
                                  std::vector<LinkId>& links) const {
  TUTTI_CHECK(number < shortest_paths(ends), "no such path");
  const auto from = switch_of(ends.source);
  const auto to = switch_of(ends.destination);
  leave(ends.source, links);
  if (from != to) path(from, to, number, links);
  arrive(ends.destination, links);
}

std::uint64_t SwitchCluster::detours(const RouteEnds& ends) const {
  const auto from = switch_of(ends.source);
  const auto to = switch_of(ends.destination);
  return from == to ? 0 : longer_paths(from, to);
}

void SwitchCluster::detour(const RouteEnds& ends, std::uint64_t number,
                           std::vector<LinkId>& links) const {
  TUTTI_CHECK(number < detours(ends), "no such detour");
  leave(ends.source, links);
  longer_path(switch_of(ends.source), switch_of(ends.destination), number, links);
  arrive(ends.destination, links);
}

std::optional<LeafSwitches> SwitchCluster::leaf_switches() const {
  if (!nodes_.even()) return std::nullopt;
  return leaf_switches_of(*nodes_.even(), 1);
}

// Many switches have links to each other, so that single nodes are drawn only on request.
TopologyDescription SwitchCluster::describe() const {
  auto description = CableCluster::describe();
  description.most_single_nodes = 0;
  description.unlike_simgrid = "the topology " + kind();
  return description;
}

Graph SwitchCluster::graph_of_hosts() const {
  Graph graph{.hosts = host_count(), .switches = {}, .edges = {}};
  for (HostId host = 0; host < host_count(); ++host)
    connect(graph, host, host_count() + switch_of(host), host);
  return graph;
}

std::string SwitchCluster::node_cable_name(HostId host) const {
  return fmt::format("{}_link_node_{}", spec().id, names().radical_number(host));
}

}  // namespace tutti::platforms
