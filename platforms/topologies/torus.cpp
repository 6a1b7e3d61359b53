// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/torus.hpp"

#include "platforms/parameters/keys.hpp"
#include "platforms/topologies/axis_orders.hpp"
#include "platforms/topologies/folded_torus.hpp"
#include "platforms/topologies/shape_fields.hpp"
#include "platforms/topology_description.hpp"

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

Torus::Torus(ClusterSpec spec, const TorusShape& shape, std::vector<std::size_t> levels)
    : CableCluster(std::move(spec), size_of(shape)) {
  TUTTI_CHECK(!shape.dimensions.empty() && shape.dimensions.size() <= most_dimensions,
              "no such torus");
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < shape.dimensions.size(); ++d) {
    const auto size = shape.dimensions[d];
    dimensions_.push_back({Divisor(size), stride, levels.empty() ? d : levels[d]});
    stride *= size;
  }
}

TorusShape Torus::shape() const {
  TorusShape shape;
  for (const auto& dimension : dimensions_) shape.dimensions.push_back(dimension.size.value());
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

HostId Torus::travel(HostId node, std::size_t dimension, std::uint32_t from, std::uint32_t to,
                     std::vector<LinkId>& links) const {
  const std::uint32_t size = dimensions_[dimension].size.value();
  const std::uint32_t ahead = to - from + (to < from ? size : 0);
  return travel_toward(
      node,
      {.dimension = dimension, .from = from, .to = to, .onward = goes_forward(ahead, from, size)},
      links);
}

// Both directions in one loop, without a branch that depends on them.
HostId Torus::travel_toward(HostId node, const Leg& leg, std::vector<LinkId>& links) const {
  const std::uint32_t size = dimensions_[leg.dimension].size.value();
  const std::uint32_t stride = dimensions_[leg.dimension].stride;
  const bool onward = leg.onward;
  std::uint32_t from = leg.from;
  const std::uint32_t ahead = leg.to - from + (leg.to < from ? size : 0);
  const std::uint32_t seam = onward ? size - 1 : 0;  // the next node is at the other end
  const std::uint32_t end = size - 1 - seam;
  const std::uint32_t step = onward ? 1 : -1;  // modulo 2^32, like everything derived from it
  const std::uint32_t jump = (end - seam) * stride;
  for (std::uint32_t left = onward ? ahead : size - ahead; left > 0; --left) {
    if (has_limiters()) links.push_back(limiter(node));
    const HostId next_node = node + (from == seam ? jump : step * stride);
    const auto used = cable(onward ? node : next_node, leg.dimension);
    links.push_back(onward ? up(used) : down(used));
    from = from == seam ? end : from + step;
    node = next_node;
  }
  return node;
}

std::size_t Torus::legs_between(HostId source, HostId destination, Legs& legs) const {
  std::size_t count = 0;
  std::uint32_t from = source;
  std::uint32_t to = destination;
  for (std::size_t d = 0; from != to; ++d) {
    const Divisor& size = dimensions_[d].size;
    const auto [from_rest, here] = size.divide(from);
    const auto [to_rest, there] = size.divide(to);
    const auto ahead = there - here + (there < here ? size.value() : 0);
    if (here != there)
      legs[count++] = {.dimension = d,
                       .from = here,
                       .to = there,
                       .is_tie = 2 * ahead == size.value(),
                       .onward = goes_forward(ahead, here, size.value())};
    from = from_rest;
    to = to_rest;
  }
  return count;
}

std::uint32_t Torus::shortest_paths(const RouteEnds& ends) const {
  Legs legs;
  const auto count = legs_between(ends.source, ends.destination, legs);
  std::uint64_t paths = order_count(count);
  for (std::size_t i = 0; i < count; ++i)
    if (legs[i].is_tie) paths = saturating_product(paths, 2);
  return saturating_count(paths);
}

// The lowest digits of the number (0 or 1) are the directions of the dimensions with two shortest
// ones, 0 for that of the route; the next one is the order of the dimensions.
void Torus::shortest_path(const RouteEnds& ends, std::uint32_t number,
                          std::vector<LinkId>& links) const {
  TUTTI_CHECK(number < Torus::shortest_paths(ends), "no such path");
  Legs legs;
  const auto count = legs_between(ends.source, ends.destination, legs);
  for (std::size_t i = 0; i < count; ++i)
    if (legs[i].is_tie) {
      legs[i].onward ^= number % 2 != 0;
      number /= 2;
    }
  arrange(std::span(legs.data(), count), number);
  HostId node = ends.source;
  for (std::size_t i = 0; i < count; ++i) node = travel_toward(node, legs[i], links);
  if (has_limiters()) links.push_back(limiter(ends.destination));
}

void Torus::stay(HostId node, std::vector<LinkId>& links) const {
  if (has_limiters()) return links.push_back(limiter(node));
  std::size_t first = 0;
  while (first + 1 < dimensions_.size() && dimensions_[first].size.value() == 1) ++first;
  links.push_back(up(cable(node, first)));
  if (split()) links.push_back(down(cable(node, first)));
}

HostId Torus::next(HostId node, const Dimension& dimension) const {
  const auto last = dimension.size.value() - 1;
  const bool wraps = dimension.size.divide(node / dimension.stride).rest == last;
  return wraps ? node - last * dimension.stride : node + dimension.stride;
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
  for (const auto& dimension : dimensions_)
    opposite += dimension.size.value() / 2 * dimension.stride;
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

TopologyDescription Torus::describe() const {
  auto description = CableCluster::describe();
  description.words = fmt::format("{} of {}", kind(), product_words(parameters()));
  description.layout = NodeLayout::grid;
  description.most_single_nodes = 1024;
  description.forwards = true;
  RingsDrawing drawing{
      .title = "Each node is on one ring per dimension", .position = "node", .rings = {}};
  for (const auto size : shape().dimensions)
    drawing.rings.push_back({fmt::format("dimension {}", drawing.rings.size() + 1), size});
  description.schematic = std::move(drawing);
  return description;
}

namespace {

Result<std::unique_ptr<const Topology>> build_torus(ClusterSpec spec, const TorusShape& shape,
                                                    const Settings& settings) {
  using Built = std::unique_ptr<const Topology>;
  const auto* key = settings.find(torus_axes_key);
  const auto axes = key == nullptr ? 0 : static_cast<std::uint32_t>(value_of<int>(*key));
  if (axes < 2 * shape.dimensions.size())
    return Built(std::make_unique<Torus>(std::move(spec), shape));
  if (axes > most_dimensions) return key->error(fmt::format("more than {} axes", most_dimensions));
  if (links_of(size_of(folded_shape(shape, axes)), spec) > most_links)
    return key->error("the network has too many links");
  return Built(std::make_unique<FoldedTorus>(std::move(spec), shape, axes));
}

Result<NetworkPlan> read_torus(std::string_view text, const ClusterSpec& spec) {
  const TorusShape shape{
      TUTTI_TRY(shape_fields::parse_counts(text, "expected one size per dimension: \"4,4,2\""))};
  const auto dimensions = shape.dimensions.size();
  if (dimensions > most_dimensions)
    return shape_fields::reject(
        fmt::format("{} dimensions: at most {} are supported", dimensions, most_dimensions), "");
  auto plan =
      TUTTI_TRY(shape_fields::plan<Torus>(shape, numbered_levels("dimension", dimensions), spec,
                                          fmt::format("{}", fmt::join(shape.dimensions, " x "))));
  plan.build = [shape](ClusterSpec of_file, const Settings& settings) {
    return build_torus(std::move(of_file), shape, settings);
  };
  return plan;
}

// A dimension of size 1 has links from a node to itself. SimGrid accepts one per name.
Error reject_ones(std::vector<std::int64_t> dims) {
  std::erase(dims, 1);
  if (dims.empty()) dims = {1};
  return usage_error("--dims", "SimGrid accepts at most one dimension of size 1",
                     fmt::format("omit these dimensions, which connect no nodes: --dims {}",
                                 fmt::join(dims, "x")));
}

Result<NewNetwork> new_torus(const NewShape& shape) {
  const auto& dims = shape.dims;
  const auto nodes = shape.nodes_of_dims();
  if (nodes > static_cast<std::int64_t>(most_hosts))
    return usage_error("--dims", fmt::format("more than {} nodes", most_hosts));
  if (dims.size() > most_dimensions)
    return usage_error("--dims", fmt::format("invalid number of dimensions {}: expected at most {}",
                                             dims.size(), most_dimensions));
  if (std::ranges::count(dims, 1) > 1) return reject_ones(dims);
  return NewNetwork{
      nodes, fmt::format("{}", fmt::join(dims, ",")),
      fmt::format("{} on a torus of {}", counted(nodes, "node"), fmt::join(dims, " x "))};
}

}  // namespace

TopologyFamily torus_family() {
  return {.name = "TORUS",
          .noun = "a torus",
          .read = read_torus,
          .new_kind = "torus",
          .new_options = {"--dims"},
          .new_required = {"--dims"},
          .make_new = new_torus,
          .keys = {torus_dimensions_key, torus_axes_key},
          .sizes_key = torus_dimensions_key};
}

}  // namespace tutti::platforms
