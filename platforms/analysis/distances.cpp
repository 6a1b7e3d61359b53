// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/analysis/distances.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

namespace tutti::platforms {
namespace {

// Calls `use` with each edge in the requested direction.
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
  // If the first host reaches all and all reach it, each reaches each.
  for (const auto direction : {Direction::out, Direction::in}) {
    const auto distance = Neighbours(graph, direction).distances(first);
    for (std::uint32_t host = 0; host < graph.hosts; ++host)
      if (distance[host] == Neighbours::unreachable)
        return direction == Direction::out ? std::pair(0U, host) : std::pair(host, 0U);
  }
  return std::nullopt;
}

namespace {

// In links visited, each about 10 ns.
constexpr std::uint64_t most_work = 50'000'000;
constexpr std::uint64_t work_of_a_route = 8;

Seconds latency_of(const Topology& topology, const std::vector<LinkId>& links) {
  Seconds sum_s = 0;
  for (const LinkId id : links) sum_s += topology.link(id).latency_s;
  return sum_s;
}

// All hosts in an order in which every prefix is spread over them.
class SpreadHosts {
 public:
  explicit SpreadHosts(HostId hosts)
      : hosts_(hosts), step_(std::max<std::uint64_t>(hosts * std::uint64_t{618} / 1000, 1)) {
    while (std::gcd(step_, hosts_) != 1) ++step_;
  }
  HostId at(std::uint64_t i) const { return static_cast<HostId>(i % hosts_ * step_ % hosts_); }

 private:
  std::uint64_t hosts_;
  std::uint64_t step_;  // about the golden section of their number
};

class RouteWalk {
 public:
  explicit RouteWalk(const Topology& topology) : topology_(topology) {}

  void follow(HostId from, HostId to) {
    links_.clear();
    topology_.route(from, to, links_);
    work_ += work_of_a_route + links_.size();
    ++found_.pairs;
    found_.latency_s = std::max(found_.latency_s, latency_of(topology_, links_));
    if (links_.size() <= found_.links) return;
    found_.links = links_.size();
    found_.from = from;
    found_.to = to;
  }

  // Follows the routes from each host in this order to all others.
  void follow_spread() {
    const HostId hosts = topology_.host_count();
    const SpreadHosts order(hosts);
    for (HostId i = 0; i < hosts; ++i) {
      work_ += topology_.search_steps();
      for (HostId away = 1; away < hosts; ++away) {
        if (work_ > most_work && found_.pairs > 0) return;
        follow(order.at(i), order.at(std::uint64_t{i} + away));
      }
    }
  }

  const Diameter& found() const { return found_; }

 private:
  const Topology& topology_;
  std::vector<LinkId> links_;
  std::uint64_t work_ = 0;
  Diameter found_;
};

}  // namespace

Diameter diameter(const Topology& topology) {
  const std::uint64_t hosts = topology.host_count();
  if (hosts == 1) return {};
  RouteWalk walk(topology);
  const auto farthest = topology.farthest_hosts();
  if (farthest)
    walk.follow(farthest->first, farthest->second);
  else
    walk.follow_spread();
  Diameter found = walk.found();
  const std::uint64_t pairs = hosts * (hosts - 1);
  if (farthest) found.pairs = pairs;
  found.all_pairs = found.pairs == pairs;
  return found;
}

namespace {

constexpr std::size_t most_edges = 200'000;
constexpr double no_limit_Bps = 1e30;  // above the sum over all links

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

// Capacities between vertices: 0 is the lower half of the hosts, 1 the upper half, the others are
// the switches. Merging the hosts of a half and parallel links keeps the network small.
using Capacities = std::unordered_map<std::uint64_t, double>;

std::uint64_t key(std::uint32_t from, std::uint32_t to) { return std::uint64_t{from} << 32 | to; }

// Unset if there are more than most_edges.
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

// Adds a reverse edge for each edge, as the flow algorithm requires.
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
    if (opposite != capacities.end() && to < from) continue;  // added with the opposite edge
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
