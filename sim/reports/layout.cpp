// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/layout.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/fruchterman_reingold.hpp>
#include <boost/graph/random_layout.hpp>
#include <boost/graph/topology.hpp>
#include <boost/random/linear_congruential.hpp>
#include <numbers>

#include "platforms/analysis/distances.hpp"

namespace tutti::reports {
namespace {

using platforms::Graph;
using platforms::Neighbours;

std::size_t vertices_of(const Graph& graph) { return graph.hosts + graph.switches.size(); }

Position on_circle(double radius, double turn) {
  const double angle = 2 * std::numbers::pi * (turn - 0.25);  // the first one is at the top
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

// The group of a dragonfly's router: the third number from the end of "d_router_2_0_5", or with two
// numbers the second one of "d_leaf_2_5".
std::size_t group_of(const std::string& router, std::size_t numbers) {
  const auto parts = split(router, '_');
  std::size_t group = 0;
  if (parts.size() >= numbers)
    for (const char c : parts[parts.size() - numbers])
      if (c >= '0' && c <= '9') group = 10 * group + static_cast<std::size_t>(c - '0');
  return group;
}

// Draws the shortest of three dimensions along the diagonal, within the cell of its front node.
std::vector<Position> steps_in_space(const std::vector<std::uint32_t>& sizes) {
  const auto shortest = std::min_element(sizes.rbegin(), sizes.rend());
  const auto back = static_cast<std::size_t>(sizes.rend() - shortest - 1);
  const double cell = std::max(1.6, 0.35 * (sizes[back] + 2));
  const double step = cell / (sizes[back] + 2);
  std::vector<Position> steps{{cell, 0}, {0, cell}};
  steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(back), Position{step, -step});
  return steps;
}

// Dimensions 0 and 1 form a tile. Each further dimension places tiles along the shorter side.
std::vector<Position> steps_of_tiles(const std::vector<std::uint32_t>& sizes) {
  std::vector<Position> steps;
  double width = 1;
  double height = 1;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const double size = sizes[d];
    if (d == 0 || (d > 1 && width <= height)) {
      steps.push_back({width, 0});
      width = width * size + (d == 0 ? 1 : width * 0.25);
    } else {
      steps.push_back({0, height});
      height = height * size + (d == 1 ? 1 : height * 0.25);
    }
  }
  return steps;
}

// By edge: true if it wraps around, from the last host of a dimension to the first.
std::vector<bool> edges_around(const Graph& graph, const std::vector<std::uint32_t>& sizes) {
  std::vector<bool> is_around;
  for (const auto& edge : graph.edges) {
    std::uint32_t a = edge.from;
    std::uint32_t b = edge.to;
    bool around = false;
    for (const auto size : sizes) {
      const auto apart = a % size > b % size ? a % size - b % size : b % size - a % size;
      around = around || apart > 1;
      a /= size;
      b /= size;
    }
    is_around.push_back(around);
  }
  return is_around;
}

Layout ring_layout(const Graph& graph) {
  Layout layout{.at = std::vector<Position>(vertices_of(graph))};
  const double radius = std::max(1.0, graph.hosts / (2 * std::numbers::pi));
  for (std::uint32_t host = 0; host < graph.hosts; ++host)
    layout.at[host] = on_circle(radius, static_cast<double>(host) / graph.hosts);
  return layout;
}

// Separates vertices that overlap after the force-directed layout.
void push_apart(std::vector<Position>& at) {
  constexpr int most_rounds = 200;
  constexpr double least = 0.9;
  bool moved = true;
  for (int round = 0; moved && round < most_rounds; ++round) {
    moved = false;
    for (std::size_t i = 0; i < at.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const double x = at[i].x - at[j].x;
        const double y = at[i].y - at[j].y;
        const double distance = std::hypot(x, y);
        if (distance >= least) continue;
        // Two vertices at one point are separated in a direction that depends on their number.
        const Position out = distance > 1e-6 ? Position{x / distance, y / distance}
                                             : on_circle(1, 0.618 * static_cast<double>(i));
        const double push = 0.5 * (least - distance) + 0.01;
        at[i] = {at[i].x + push * out.x, at[i].y + push * out.y};
        at[j] = {at[j].x - push * out.x, at[j].y - push * out.y};
        moved = true;
      }
  }
}

using Vertices = std::vector<std::uint32_t>;

// Hosts connected to the same switches.
struct Block {
  Vertices switches;
  Vertices hosts;
};

std::vector<Block> blocks_of(const Graph& graph, const Neighbours& neighbours) {
  std::map<Vertices, std::size_t> numbers;
  std::vector<Block> blocks;
  for (std::uint32_t host = 0; host < graph.hosts; ++host) {
    std::set<std::uint32_t> above;
    for (const auto next : neighbours.of(host))
      if (next >= graph.hosts) above.insert(next);
    const Vertices switches(above.begin(), above.end());
    const auto [number, is_new] = numbers.try_emplace(switches, blocks.size());
    if (is_new) blocks.push_back({switches, {}});
    blocks[number->second].hosts.push_back(host);
  }
  return blocks;
}

class Layers {
 public:
  explicit Layers(const Graph& graph)
      : graph_(graph),
        neighbours_(graph, Neighbours::Direction::both),
        blocks_(blocks_of(graph, neighbours_)) {
    layout_.at.resize(graph.hosts + graph.switches.size());
  }

  Layout make() {
    choose_columns();
    for (const auto& block : blocks_) place(block);
    width_ = x_ - between_blocks;
    layout_.trunk_top = -0.8;
    place_switches();
    return std::move(layout_);
  }

 private:
  static constexpr double between_blocks = 0.8;
  static constexpr double between_trunks = 0.3;
  static constexpr std::uint32_t most_in_a_row = 64;
  static constexpr std::size_t most_trunks = 3;  // of a column

  // One row if it is short enough, else as many columns per block as make the hosts fill the lower
  // fifth of the picture.
  void choose_columns() {
    std::size_t most_hosts = 1;
    std::size_t most_switches = 0;
    for (const auto& block : blocks_) {
      most_hosts = std::max(most_hosts, block.hosts.size());
      most_switches = std::max(most_switches, block.switches.size());
    }
    columns_ = most_hosts;
    if (graph_.hosts <= most_in_a_row) return;
    if (most_switches > 0 && most_switches <= most_trunks)
      pitch_ = 1 + between_trunks * static_cast<double>(most_switches);
    const auto count = static_cast<double>(blocks_.size());
    for (columns_ = 1; columns_ < most_hosts; ++columns_) {
      const double width = count * (static_cast<double>(columns_) * pitch_ + between_blocks);
      const double rows = static_cast<double>(most_hosts) / static_cast<double>(columns_);
      if (rows <= 0.2 * width) break;
    }
  }

  void place(const Block& block) {
    const std::size_t count = block.hosts.size();
    const std::size_t rows = (count + columns_ - 1) / columns_;
    for (std::size_t i = 0; i < count; ++i) {
      const double x = x_ + pitch_ * static_cast<double>(i / rows);
      layout_.at[block.hosts[i]] = {x, static_cast<double>(i % rows)};
      if (pitch_ > 1)
        for (std::size_t s = 0; s < block.switches.size(); ++s)
          layout_.trunks[{block.hosts[i], block.switches[s]}] =
              x - 0.5 - between_trunks * static_cast<double>(s);
    }
    x_ += pitch_ * static_cast<double>((count + rows - 1) / rows) + between_blocks;
  }

  // The mean x of the neighbors below.
  double spec_of(std::uint32_t vertex, const Vertices& layer) const {
    double sum = 0;
    int below = 0;
    for (const auto next : neighbours_.of(vertex))
      if (layer[next] < layer[vertex]) {
        sum += layout_.at[next].x;
        ++below;
      }
    return below > 0 ? sum / below : 0;
  }

  void place_switches() {
    Vertices hosts(graph_.hosts);
    std::iota(hosts.begin(), hosts.end(), 0U);
    const auto layer = neighbours_.distances(hosts);
    std::map<std::uint32_t, Vertices> rows;
    for (auto vertex = graph_.hosts; vertex < layout_.at.size(); ++vertex)
      rows[layer[vertex]].push_back(vertex);
    // Layers are far enough apart for the links to have an angle; the first is closer to its hosts.
    const double height = std::max(2.0, 0.16 * width_);
    double y = -std::max(2.0, 0.06 * width_);
    for (auto& [distance, row] : rows) {
      std::map<std::uint32_t, double> spec;
      for (const auto vertex : row) spec[vertex] = spec_of(vertex, layer);
      std::stable_sort(row.begin(), row.end(), [&](auto a, auto b) { return spec[a] < spec[b]; });
      const auto count = static_cast<double>(row.size());
      const double step = std::max(1.0, (width_ + between_blocks) / count);
      double x = 0.5 * (width_ - pitch_ - step * (count - 1));
      for (const auto vertex : row) {
        layout_.at[vertex] = {x, y};
        x += step;
      }
      y -= height;
    }
  }

  const Graph& graph_;
  Neighbours neighbours_;
  std::vector<Block> blocks_;
  Layout layout_;
  std::size_t columns_ = 1;  // of a block
  double pitch_ = 1;         // distance of the columns; above 1: there are trunks between them
  double x_ = 0;             // where the next block begins
  double width_ = 1;
};

}  // namespace

// Places many hosts on several circles, each at an angle of its own.
Layout star_layout(const Graph& graph) {
  constexpr std::uint32_t most_on_a_circle = 200;
  Layout layout{.at = std::vector<Position>(vertices_of(graph))};
  const std::uint32_t circles = (graph.hosts + most_on_a_circle - 1) / most_on_a_circle;
  const double inner = std::max(2.0, graph.hosts / (2 * std::numbers::pi * circles));
  for (std::uint32_t host = 0; host < graph.hosts; ++host)
    layout.at[host] =
        on_circle(inner + 1.1 * (host % circles), static_cast<double>(host) / graph.hosts);
  const double middle = 0.5 * static_cast<double>(graph.switches.size() - 1);
  for (std::size_t i = 0; i < graph.switches.size(); ++i)  // side by side in the center
    layout.at[graph.hosts + i] = {1.5 * (static_cast<double>(i) - middle), 0};
  return layout;
}

Layout torus_layout(const Graph& graph, const std::vector<std::uint32_t>& sizes) {
  if (sizes.size() == 1) return ring_layout(graph);
  Layout layout{.at = std::vector<Position>(vertices_of(graph)), .curved = sizes.size() > 3};
  const auto steps = sizes.size() == 3 ? steps_in_space(sizes) : steps_of_tiles(sizes);
  layout.host_radius = 0.18;
  for (std::uint32_t host = 0; host < graph.hosts; ++host) {
    std::uint32_t rest = host;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      const double coordinate = rest % sizes[d];
      rest /= sizes[d];
      layout.at[host].x += coordinate * steps[d].x;
      layout.at[host].y += coordinate * steps[d].y;
    }
  }
  layout.cut_edges = edges_around(graph, sizes);
  return layout;
}

Layout dragonfly_layout(const Graph& graph, std::size_t numbers) {
  Layout layout{.at = std::vector<Position>(vertices_of(graph))};
  std::map<std::size_t, std::vector<std::uint32_t>> groups;
  for (std::size_t i = 0; i < graph.switches.size(); ++i)
    groups[group_of(graph.switches[i], numbers)].push_back(
        static_cast<std::uint32_t>(graph.hosts + i));
  std::size_t largest = 1;
  for (const auto& [number, routers] : groups) largest = std::max(largest, routers.size());
  const double inner = std::max(1.0, static_cast<double>(largest) / std::numbers::pi);
  const double spacing = 2 * inner + 5;
  const auto count = static_cast<double>(groups.size());
  const double ring = groups.size() == 1 ? 0 : std::max(spacing, spacing * count / 6);
  const Neighbours neighbours(graph, Neighbours::Direction::both);
  double turn = 0;
  for (const auto& [number, routers] : groups) {
    const Position centre = on_circle(ring, turn / count);
    for (std::size_t r = 0; r < routers.size(); ++r) {
      const double share = (static_cast<double>(r) + 0.5) / static_cast<double>(routers.size());
      // The first router is on the side away from the center of the picture.
      const Position out = on_circle(1, share + turn / count);
      layout.at[routers[r]] = {centre.x + inner * out.x, centre.y + inner * out.y};
      std::set<std::uint32_t> hosts;
      for (const auto next : neighbours.of(routers[r]))
        if (next < graph.hosts) hosts.insert(next);
      double slot = 0.5 - 0.5 * static_cast<double>(hosts.size());
      for (const auto host : hosts) {
        const double fan = 0.55 / std::max<double>(1, static_cast<double>(largest) / 3);
        const Position beyond =
            on_circle(1, share + turn / count +
                             slot * fan / std::max<double>(2, static_cast<double>(hosts.size())));
        layout.at[host] = {centre.x + (inner + 1.1) * beyond.x,
                           centre.y + (inner + 1.1) * beyond.y};
        slot += 1;
      }
    }
    turn += 1;
  }
  layout.host_radius = 0.12;
  return layout;
}

Layout force_layout(const Graph& graph) {
  using Network = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  using Plane = boost::square_topology<boost::minstd_rand>;
  Network network(vertices_of(graph));
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (const auto& edge : graph.edges)
    if (seen.insert(std::minmax(edge.from, edge.to)).second)
      boost::add_edge(edge.from, edge.to, network);
  boost::minstd_rand random(1);  // fixed seed: the same picture each time
  const double side = 1.6 * std::sqrt(static_cast<double>(vertices_of(graph))) + 2;
  const Plane plane(random, side);
  std::vector<Plane::point_type> points(vertices_of(graph));
  const auto places =
      boost::make_iterator_property_map(points.begin(), boost::get(boost::vertex_index, network));
  boost::random_graph_layout(network, places, plane);
  boost::fruchterman_reingold_force_directed_layout(
      network, places, plane, boost::cooling(boost::linear_cooling<double>(200)));
  Layout layout;
  for (const auto& point : points) layout.at.push_back({point[0], point[1]});
  push_apart(layout.at);
  return layout;
}

Layout layered_layout(const Graph& graph) { return Layers(graph).make(); }

}  // namespace tutti::reports
