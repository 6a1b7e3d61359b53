// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/torus.hpp"

namespace tutti::platforms {
namespace {

// SimGrid's rule: the shorter direction; a tie goes forward, except backward from the middle of the
// dimension to 0. `ahead` is the distance forward. Branch-free, because the branches would be
// unpredictable.
bool goes_forward(std::uint32_t ahead, std::uint32_t from, std::uint32_t size) {
  const auto twice = 2 * ahead;
  return (twice < size) | ((twice == size) & (from != ahead));
}

}  // namespace

NetworkSize size_of(const TorusShape& shape) {
  std::uint64_t hosts = 1;
  for (const auto size : shape.dimensions) hosts = saturating_product(hosts, size);
  return {
      .hosts = hosts, .nodes = hosts, .cables = saturating_product(hosts, shape.dimensions.size())};
}

Torus::Torus(ClusterSpec spec, const TorusShape& shape)
    : CableCluster(std::move(spec), size_of(shape)) {
  TUTTI_CHECK(!shape.dimensions.empty() && shape.dimensions.size() <= most_dimensions,
              "no such torus");
  std::uint32_t stride = 1;
  for (const auto size : shape.dimensions) {
    dimensions_.push_back({Divisor(size), stride});
    stride *= size;
  }
}

TorusShape Torus::shape() const {
  TorusShape shape;
  for (const auto& each : dimensions_) shape.dimensions.push_back(each.size.value());
  return shape;
}

void Torus::route(HostId source, HostId destination, std::vector<LinkId>& links) const {
  if (source == destination) return stay(source, links);
  HostId node = source;
  std::uint32_t from = source;
  std::uint32_t to = destination;
  for (std::size_t d = 0; from != to; ++d) {
    const auto [from_rest, here] = dimensions_[d].size.divide(from);
    const auto [to_rest, there] = dimensions_[d].size.divide(to);
    if (here != there) node = travel(node, d, here, there, links);
    from = from_rest;
    to = to_rest;
  }
  if (has_limiters()) links.push_back(limiter(destination));
}

// Both directions in one loop, without a branch that depends on them.
HostId Torus::travel(HostId node, std::size_t dimension, std::uint32_t from, std::uint32_t to,
                     std::vector<LinkId>& links) const {
  const std::uint32_t size = dimensions_[dimension].size.value();
  const std::uint32_t stride = dimensions_[dimension].stride;
  const std::uint32_t ahead = to - from + (to < from ? size : 0);
  const bool onward = goes_forward(ahead, from, size);
  const std::uint32_t seam = onward ? size - 1 : 0;  // the next node is at the other end
  const std::uint32_t end = size - 1 - seam;
  const std::uint32_t step = onward ? 1 : -1;  // modulo 2^32, like everything derived from it
  const std::uint32_t jump = (end - seam) * stride;
  for (std::uint32_t left = onward ? ahead : size - ahead; left > 0; --left) {
    if (has_limiters()) links.push_back(limiter(node));
    const HostId next_node = node + (from == seam ? jump : step * stride);
    const auto used = cable(onward ? node : next_node, dimension);
    links.push_back(onward ? up(used) : down(used));
    from = from == seam ? end : from + step;
    node = next_node;
  }
  return node;
}

void Torus::stay(HostId node, std::vector<LinkId>& links) const {
  if (has_limiters()) return links.push_back(limiter(node));
  std::size_t first = 0;
  while (first + 1 < dimensions_.size() && dimensions_[first].size.value() == 1) ++first;
  links.push_back(up(cable(node, first)));
  if (split()) links.push_back(down(cable(node, first)));
}

HostId Torus::next(HostId node, const Dimension& dimension) const {
  const auto [size, stride] = dimension;
  const bool wraps = size.divide(node / stride).rest == size.value() - 1;
  return wraps ? node - (size.value() - 1) * stride : node + stride;
}

std::string Torus::cable_name(std::uint32_t cable) const {
  const auto count = static_cast<std::uint32_t>(dimensions_.size());
  const HostId node = cable / count;
  const std::uint32_t d = cable % count;
  auto name = fmt::format("{}_link_from_{}_to_{}", spec().id, node, next(node, dimensions_[d]));
  // SimGrid supports no second dimension of size 1: its links would have the names of the first.
  const auto single = [](const Dimension& dimension) { return dimension.size.value() == 1; };
  const auto here = dimensions_.begin() + d;
  const bool repeated = single(*here) && std::any_of(dimensions_.begin(), here, single);
  return repeated ? fmt::format("{}_dimension_{}", name, d) : name;
}

// Halfway around in each dimension.
std::optional<std::pair<HostId, HostId>> Torus::farthest_hosts() const {
  HostId opposite = 0;
  for (const auto& [size, stride] : dimensions_) opposite += size.value() / 2 * stride;
  return std::pair<HostId, HostId>(0, opposite);
}

Graph Torus::graph() const {
  Graph graph{.hosts = host_count(), .switches = {}, .edges = {}};
  for (HostId node = 0; node < host_count(); ++node)
    for (std::size_t d = 0; d < dimensions_.size(); ++d)
      if (dimensions_[d].size.value() > 1)
        connect(graph, node, next(node, dimensions_[d]), cable(node, d));
  return graph;
}

}  // namespace tutti::platforms
