// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/folded_torus.hpp"

#include "platforms/topologies/family.hpp"
#include "platforms/topology_description.hpp"

namespace tutti::platforms {
namespace {

using Sizes = std::vector<std::uint32_t>;

// The divisor of `size` that is nearest to its root of this degree; the smaller of two.
std::uint32_t even_factor(std::uint32_t size, std::size_t degree) {
  const double log_root = std::log(size) / static_cast<double>(degree);
  const auto distance = [&](std::uint32_t divisor) {
    return std::abs(std::log(divisor) - log_root);
  };
  constexpr double rounding = 1e-9;
  std::uint32_t best = 1;
  for (std::uint32_t divisor = 2; divisor <= size; ++divisor)
    if (size % divisor == 0 && distance(divisor) < distance(best) - rounding) best = divisor;
  return best;
}

// The axes of one dimension; their product is its size.
Sizes axes_of(std::uint32_t size, std::size_t count) {
  Sizes axes;
  if (count < 2 || size % 2 != 0) return {size};
  axes.push_back(2);
  std::uint32_t rest = size / 2;
  for (std::size_t left = count - 1; left > 1; --left) {
    axes.push_back(even_factor(rest, left));
    rest /= axes.back();
  }
  axes.push_back(rest);
  return axes;
}

std::vector<Sizes> axes_of_dimensions(const TorusShape& shape, std::uint32_t axes) {
  const auto per_dimension = std::max<std::size_t>(1, axes / shape.dimensions.size());
  std::vector<Sizes> all;
  for (const auto size : shape.dimensions) all.push_back(axes_of(size, per_dimension));
  return all;
}

struct Axis {
  std::size_t dimension = 0;
  std::size_t part = 0;  // which axis of the dimension
};

// First the first axes of the dimensions, starting from the second dimension and ending with the
// first (TofuD's B, C, A); then the other axes, from the last dimension to the first.
std::vector<Axis> in_route_order(const std::vector<Sizes>& axes) {
  std::vector<Axis> order;
  for (std::size_t i = 1; i <= axes.size(); ++i) order.push_back({i % axes.size(), 0});
  for (std::size_t dimension = axes.size(); dimension-- > 0;)
    for (std::size_t part = 1; part < axes[dimension].size(); ++part)
      order.push_back({dimension, part});
  return order;
}

// Coordinates of the node that the path of neighbours reaches after `steps` steps; the first axis
// varies fastest.
Sizes place_on_path(std::uint32_t steps, const Sizes& axes) {
  Sizes place;
  for (const auto size : axes) {
    const std::uint32_t digit = steps % size;
    steps /= size;
    place.push_back(steps % 2 == 0 ? digit : size - 1 - digit);  // back and forth
  }
  return place;
}

HostId node_of(HostId host, const std::vector<Sizes>& axes, const std::vector<Axis>& order) {
  std::vector<Sizes> places;
  for (const auto& of_dimension : axes) {
    std::uint32_t size = 1;
    for (const auto size_of_axis : of_dimension) size *= size_of_axis;
    places.push_back(place_on_path(host % size, of_dimension));
    host /= size;
  }
  HostId node = 0;
  std::uint32_t stride = 1;
  for (const auto& [dimension, part] : order) {
    node += stride * places[dimension][part];
    stride *= axes[dimension][part];
  }
  return node;
}

}  // namespace

TorusShape folded_shape(const TorusShape& shape, std::uint32_t axes) {
  const auto all = axes_of_dimensions(shape, axes);
  TorusShape folded;
  for (const auto& [dimension, part] : in_route_order(all))
    folded.dimensions.push_back(all[dimension][part]);
  return folded;
}

namespace {

// The dimension that each axis is part of.
std::vector<std::size_t> levels_of_axes(const TorusShape& shape, std::uint32_t axes) {
  std::vector<std::size_t> levels;
  for (const auto& axis : in_route_order(axes_of_dimensions(shape, axes)))
    levels.push_back(axis.dimension);
  return levels;
}

}  // namespace

FoldedTorus::FoldedTorus(ClusterSpec spec, const TorusShape& shape, std::uint32_t axes)
    : Torus(std::move(spec), folded_shape(shape, axes), levels_of_axes(shape, axes)) {
  const auto all = axes_of_dimensions(shape, axes);
  const auto order = in_route_order(all);
  node_of_.reserve(host_count());
  for (HostId host = 0; host < host_count(); ++host) node_of_.push_back(node_of(host, all, order));
}

std::string FoldedTorus::parameters() const {
  return fmt::format("{} on {}", spec().parameters, fmt::join(shape().dimensions, ","));
}

TopologyDescription FoldedTorus::describe() const {
  auto description = Torus::describe();
  description.layout = NodeLayout::by_forces;
  description.most_single_nodes = 0;
  description.unlike_simgrid = torus_axes_key;
  return description;
}

void FoldedTorus::route(HostId source, HostId destination, std::vector<LinkId>& links) const {
  Torus::route(node_of_[source], node_of_[destination], links);
}

std::uint32_t FoldedTorus::shortest_paths(const RouteEnds& ends) const {
  return Torus::shortest_paths(nodes_of(ends));
}

void FoldedTorus::shortest_path(const RouteEnds& ends, std::uint32_t number,
                                std::vector<LinkId>& links) const {
  Torus::shortest_path(nodes_of(ends), number, links);
}

std::vector<HostId> FoldedTorus::host_at() const {
  std::vector<HostId> hosts(node_of_.size());
  for (HostId host = 0; host < node_of_.size(); ++host) hosts[node_of_[host]] = host;
  return hosts;
}

Graph FoldedTorus::graph() const {
  Graph graph = Torus::graph();
  const auto hosts = host_at();
  for (auto& edge : graph.edges) {
    edge.from = hosts[edge.from];
    edge.to = hosts[edge.to];
  }
  return graph;
}

std::optional<std::pair<HostId, HostId>> FoldedTorus::farthest_hosts() const {
  const auto nodes = Torus::farthest_hosts();
  if (!nodes) return std::nullopt;
  const auto hosts = host_at();
  return std::pair(hosts[nodes->first], hosts[nodes->second]);
}

}  // namespace tutti::platforms
