// SPDX-License-Identifier: BSD-3-Clause
// Properties of every topology of a <cluster>, and helpers for its tests.
#pragma once

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "platforms/topologies/flat_cluster.hpp"

namespace tutti::tests {

// Hosts n0, n1, ... of a cluster c; links of 1 GB/s in each direction and 1 us.
inline platforms::ClusterSpec cluster_spec(std::uint32_t hosts) {
  platforms::ClusterSpec spec;
  spec.id = "c";
  spec.prefix = "n";
  spec.radical = {{0, hosts}};
  spec.bandwidth_Bps = 1e9;
  spec.latency_s = 1e-6;
  return spec;
}

inline platforms::FlatClusterSpec flat_spec(std::uint32_t hosts) {
  platforms::FlatClusterSpec spec;
  static_cast<platforms::ClusterSpec&>(spec) = cluster_spec(hosts);
  return spec;
}

inline std::vector<platforms::LinkId> route_of(const platforms::Topology& topology,
                                               platforms::HostId source,
                                               platforms::HostId destination) {
  std::vector<platforms::LinkId> links;
  topology.route(source, destination, links);
  return links;
}

inline std::string route_names(const platforms::Topology& topology, platforms::HostId source,
                               platforms::HostId destination) {
  std::string names;
  for (const auto id : route_of(topology, source, destination))
    names += (names.empty() ? "" : " ") + topology.link_name(id);
  return names;
}

// Every route between two hosts follows edges of the graph, and every link has a unique name. The
// topology must have one link per direction and no limiters.
inline void check_routes_are_walks(const platforms::Topology& topology) {
  const auto graph = topology.graph();
  std::vector<const platforms::Graph::Edge*> edge_of(topology.link_count(), nullptr);
  for (const auto& edge : graph.edges) {
    REQUIRE(edge.from < graph.hosts + graph.switches.size());
    REQUIRE(edge.to < graph.hosts + graph.switches.size());
    REQUIRE(edge_of.at(edge.link) == nullptr);
    edge_of[edge.link] = &edge;
  }
  for (platforms::HostId from = 0; from < topology.host_count(); ++from)
    for (platforms::HostId to = 0; to < topology.host_count(); ++to) {
      std::uint32_t at = from;
      for (const auto id : route_of(topology, from, to)) {
        REQUIRE(edge_of.at(id) != nullptr);
        REQUIRE(edge_of[id]->from == at);
        at = edge_of[id]->to;
      }
      REQUIRE(at == to);
    }
  std::set<std::string> names;
  for (platforms::LinkId id = 0; id < topology.link_count(); ++id)
    REQUIRE(names.insert(topology.link_name(id)).second);
}

}  // namespace tutti::tests
