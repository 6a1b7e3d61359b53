// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/analysis/bisection.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <limits>
#include <unordered_map>

namespace tutti::platforms {
namespace {

constexpr std::size_t most_edges = 200'000;
constexpr double no_limit_Bps = 1e30;  // above the sum of all links

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
struct Vertex {
  boost::default_color_type color{};
  Traits::edge_descriptor predecessor;
  long distance = 0;
};
struct Edge {
  double capacity = 0;
  double residual = 0;
  Traits::edge_descriptor reverse;
};
using Network = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Vertex, Edge>;

// Capacities between vertices, of which 0 is the lower half of the hosts, 1 the upper one, and the
// others are the switches. Hosts of one half are one vertex, and parallel cables one edge: what is
// left is small.
using Capacities = std::unordered_map<std::uint64_t, double>;

std::uint64_t key(std::uint32_t from, std::uint32_t to) { return std::uint64_t{from} << 32 | to; }

// Nothing if they are more than most_edges.
std::optional<Capacities> contracted(const Topology& topology, const Graph& graph) {
  const auto vertex = [&](std::uint32_t id) {
    return id < graph.hosts ? std::uint32_t{id >= graph.hosts / 2} : id - graph.hosts + 2;
  };
  Capacities capacities;
  const auto add = [&](std::uint32_t from, std::uint32_t to, double Bps) {
    if (vertex(from) != vertex(to)) capacities[key(vertex(from), vertex(to))] += Bps;
  };
  for (const auto& edge : graph.edges) {
    const Link link = topology.link(edge.link);
    const double Bps = link.sharing == LinkSharing::fat_pipe ? no_limit_Bps : link.bandwidth_Bps;
    add(edge.from, edge.to, Bps);
    if (edge.both_ways) add(edge.to, edge.from, Bps);
    if (capacities.size() > most_edges) return std::nullopt;
  }
  return capacities;
}

// Each edge with its reverse, as the flow's algorithm wants them.
Network network_of(const Capacities& capacities, std::size_t vertices) {
  Network network(vertices);
  const auto add = [&](std::uint32_t from, std::uint32_t to, double Bps) {
    return boost::add_edge(from, to, Edge{.capacity = Bps, .residual = 0, .reverse = {}}, network)
        .first;
  };
  for (const auto& [pair, Bps] : capacities) {
    const auto from = static_cast<std::uint32_t>(pair >> 32);
    const auto to = static_cast<std::uint32_t>(pair);
    const auto opposite = capacities.find(key(to, from));
    if (opposite != capacities.end() && to < from) continue;  // made with the other
    const auto there = add(from, to, Bps);
    const auto back = add(to, from, opposite == capacities.end() ? 0 : opposite->second);
    network[there].reverse = back;
    network[back].reverse = there;
  }
  return network;
}

double maximum_flow(Network& network) {
  return boost::boykov_kolmogorov_max_flow(
      network, boost::get(&Edge::capacity, network), boost::get(&Edge::residual, network),
      boost::get(&Edge::reverse, network), boost::get(&Vertex::predecessor, network),
      boost::get(&Vertex::color, network), boost::get(&Vertex::distance, network),
      boost::get(boost::vertex_index, network), 0, 1);
}

}  // namespace

std::optional<double> bisection_Bps(const Topology& topology, const Graph& graph) {
  if (graph.hosts < 2) return std::nullopt;
  const auto capacities = contracted(topology, graph);
  if (!capacities) return std::nullopt;
  auto network = network_of(*capacities, graph.switches.size() + 2);
  const double Bps = maximum_flow(network);
  return Bps >= no_limit_Bps ? std::numeric_limits<double>::infinity() : Bps;
}

}  // namespace tutti::platforms
