// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/tofu.hpp"

#include "platforms/topologies/shape_fields.hpp"
#include "platforms/topology_description.hpp"

namespace tutti::platforms {
namespace {

constexpr std::string_view axis_names = "XYZABC";
constexpr std::size_t axis_a = 3;
constexpr std::size_t axis_b = 4;
constexpr std::size_t axis_c = 5;
// In the order of the routes.
constexpr std::array<std::size_t, 3> inner_axes = {axis_b, axis_c, axis_a};
constexpr std::array<std::size_t, 3> outer_axes = {2, 1, 0};
constexpr std::uint32_t inner_positions = 12;

bool is_ring_axis(std::size_t axis) { return axis != axis_a && axis != axis_c; }

std::uint64_t cables_on(const TofuShape& shape, std::size_t axis) {
  std::uint64_t nodes = 1;
  for (const auto size : shape.axes) nodes = saturating_product(nodes, size);
  if (shape.axes[axis] == 1) return 0;
  return is_ring_axis(axis) ? nodes : nodes / 2;
}

bool fits(const TofuShape& shape, const TofuEmbedding& embedding) {
  std::vector<std::uint64_t> sizes(shape.job.size(), 1);
  for (std::size_t axis = 0; axis < tofu_axes; ++axis)
    sizes[embedding[axis]] = saturating_product(sizes[embedding[axis]], shape.axes[axis]);
  return std::equal(sizes.begin(), sizes.end(), shape.job.begin());
}

}  // namespace

NetworkSize size_of(const TofuShape& shape) {
  NetworkSize size{.hosts = 1};
  for (const auto axis_size : shape.axes) size.hosts = saturating_product(size.hosts, axis_size);
  size.nodes = size.hosts;
  for (std::size_t axis = 0; axis < tofu_axes; ++axis)
    size.cables = saturating_sum(size.cables, cables_on(shape, axis));
  return size;
}

std::optional<TofuEmbedding> embedding_of(const TofuShape& shape) {
  const auto dimensions = shape.job.size();
  if (dimensions == 0 || dimensions > 3) return std::nullopt;
  TofuEmbedding embedding{};
  for (std::size_t axis = 0; axis < tofu_axes; ++axis) embedding[axis] = axis % 3 % dimensions;
  if (fits(shape, embedding)) return embedding;
  std::uint32_t count = 1;
  for (std::size_t axis = 0; axis < tofu_axes; ++axis)
    count *= static_cast<std::uint32_t>(dimensions);
  for (std::uint32_t number = 0; number < count; ++number) {
    auto rest = number;
    for (auto& dimension : embedding) {
      dimension = rest % dimensions;
      rest /= static_cast<std::uint32_t>(dimensions);
    }
    if (fits(shape, embedding)) return embedding;
  }
  return std::nullopt;
}

Tofu::Tofu(ClusterSpec spec, const TofuShape& shape)
    : CableCluster(std::move(spec), size_of(shape)) {
  std::uint32_t stride = 1;
  std::uint32_t cable = 0;
  for (std::size_t axis = 0; axis < tofu_axes; ++axis) {
    axes_.push_back({.size = Divisor(shape.axes[axis]),
                     .stride = Divisor(stride),
                     .is_ring = is_ring_axis(axis),
                     .first_cable = cable});
    stride *= shape.axes[axis];
    cable += static_cast<std::uint32_t>(cables_on(shape, axis));
  }
  TUTTI_CHECK(shape.axes[axis_a] == 2 && shape.axes[axis_b] == 3 && shape.axes[axis_c] == 2,
              "no such Tofu");
  if (shape.job.empty()) return;
  const auto embedding = embedding_of(shape);
  TUTTI_CHECK(embedding.has_value(), "a logical torus that does not fit");
  for (std::size_t d = 0; d < shape.job.size(); ++d)
    dimensions_.push_back({.size = shape.job[d], .parts = parts_of(d, *embedding)});
}

// The last axis is an even one if there is one; C and A are the first choice.
std::vector<Tofu::Part> Tofu::parts_of(std::size_t dimension,
                                       const TofuEmbedding& embedding) const {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < tofu_axes; ++axis)
    if (embedding[axis] == dimension) axes.push_back(axis);
  const auto is_even = [&](std::size_t axis) { return axes_[axis].size.value() % 2 == 0; };
  if (const auto even = std::find_if(axes.rbegin(), axes.rend(), is_even); even != axes.rend())
    std::rotate(even.base() - 1, even.base(), axes.end());
  std::vector<Part> parts;
  std::uint32_t before = 1;
  for (const auto axis : axes) {
    parts.push_back({axis, before});
    before *= axes_[axis].size.value();
  }
  return parts;
}

std::string Tofu::parameters() const {
  if (dimensions_.empty()) return spec().parameters;
  std::vector<std::uint32_t> sizes;
  for (const auto& dimension : dimensions_) sizes.push_back(dimension.size);
  return fmt::format("{} as {}", spec().parameters, fmt::join(sizes, "x"));
}

std::uint32_t Tofu::node_of(HostId host) const {
  if (dimensions_.empty()) return host;
  std::uint32_t node = 0;
  for (const Dimension& dimension : dimensions_) {
    const auto steps = host % dimension.size;
    host /= dimension.size;
    for (const auto& [number, before] : dimension.parts) {
      const Axis& axis = axes_[number];
      const auto [turns, digit] = axis.size.divide(steps / before);
      // Back and forth.
      node += (turns % 2 == 0 ? digit : axis.size.value() - 1 - digit) * axis.stride.value();
    }
  }
  return node;
}

std::vector<HostId> Tofu::host_at() const {
  std::vector<HostId> hosts(host_count());
  for (HostId host = 0; host < host_count(); ++host) hosts[node_of(host)] = host;
  return hosts;
}

std::uint32_t Tofu::next(std::uint32_t node, const Axis& axis) const {
  const auto last = axis.size.value() - 1;
  return coordinate(node, axis) == last ? node - last * axis.stride.value()
                                        : node + axis.stride.value();
}

std::uint32_t Tofu::cable(std::uint32_t node, const Axis& axis) const {
  if (axis.is_ring) return axis.first_cable + node;
  const auto [above, below] = axis.stride.divide(node);
  return axis.first_cable + axis.size.quotient(above) * axis.stride.value() + below;
}

void Tofu::add_leg(std::size_t number, std::uint32_t from, std::uint32_t to, Legs& legs) const {
  const Axis& axis = axes_[number];
  const auto size = axis.size.value();
  const auto here = coordinate(from, axis);
  const auto there = coordinate(to, axis);
  if (here == there) return;
  const auto ahead = there - here + (there < here ? size : 0);
  const bool onward = axis.is_ring ? 2 * ahead <= size : here < there;
  legs.leg[legs.count++] = {.axis = &axis,
                            .from = here,
                            .to = there,
                            .onward = onward,
                            .is_tie = axis.is_ring && 2 * ahead == size};
}

void Tofu::add_inner(std::uint32_t from, std::uint32_t to, Legs& legs) const {
  for (const auto axis : inner_axes) add_leg(axis, from, to, legs);
}

void Tofu::add_outer(std::uint32_t from, std::uint32_t to, Legs& legs) const {
  for (const auto axis : outer_axes) add_leg(axis, from, to, legs);
}

std::uint32_t Tofu::travel(std::uint32_t node, const Leg& leg, std::vector<LinkId>& links) const {
  const Axis& axis = *leg.axis;
  const auto last = axis.size.value() - 1;
  for (auto at = leg.from; at != leg.to;) {
    if (has_limiters()) links.push_back(limiter(node));
    const auto seam = leg.onward ? last : 0;  // the next node is at the other end
    const auto then = at == seam ? last - seam : leg.onward ? at + 1 : at - 1;
    const auto next_node = node + (then - at) * axis.stride.value();  // modulo 2^32
    const auto used = cable(leg.onward ? node : next_node, axis);
    links.push_back(leg.onward ? up(used) : down(used));
    node = next_node;
    at = then;
  }
  return node;
}

void Tofu::route(HostId source, HostId destination, std::vector<LinkId>& links) const {
  auto node = node_of(source);
  const auto target = node_of(destination);
  if (source == destination) {
    if (has_limiters()) return links.push_back(limiter(node));
    links.push_back(up(cable(node, axes_[axis_b])));
    if (split()) links.push_back(down(cable(node, axes_[axis_b])));
    return;
  }
  Legs legs;
  add_inner(node, target, legs);
  add_outer(node, target, legs);
  for (const Leg& leg : legs) node = travel(node, leg, links);
  if (has_limiters()) links.push_back(limiter(target));
}

std::uint32_t Tofu::inner_differences(std::uint32_t from, std::uint32_t to) const {
  Legs legs;
  add_inner(from, to, legs);
  return static_cast<std::uint32_t>(legs.count);
}

std::uint32_t Tofu::turn(std::uint32_t from, std::uint32_t to, std::uint32_t late) const {
  const auto unit = axes_[axis_a].stride.value();
  std::uint32_t node = to - to % unit + from % unit;
  for (const auto number : inner_axes) {
    const Axis& axis = axes_[number];
    const auto here = coordinate(from, axis);
    const auto there = coordinate(to, axis);
    if (here == there) continue;
    if (late % 2 != 0) node += (here - there) * axis.stride.value();  // modulo 2^32
    late /= 2;
  }
  return node;
}

void Tofu::go(std::uint32_t from, std::uint32_t via, std::uint32_t to, const Legs& outer,
              std::vector<LinkId>& links) const {
  Legs legs;
  add_inner(from, via, legs);
  for (std::size_t i = 0; i < outer.count; ++i) legs.leg[legs.count++] = outer.leg[i];
  add_inner(via, to, legs);
  for (const Leg& leg : legs) from = travel(from, leg, links);
  if (has_limiters()) links.push_back(limiter(to));
}

namespace {

// Whether a path without legs on X, Y and Z that traverses these of `count` axes late is the route:
// those that it traverses late are the last ones.
bool is_route(std::uint32_t late, std::uint32_t count) {
  const std::uint32_t early = ~late & ((1U << count) - 1);
  return (early & (early + 1)) == 0;
}

}  // namespace

std::uint32_t Tofu::shortest_paths(const RouteEnds& ends) const {
  const auto from = node_of(ends.source);
  const auto to = node_of(ends.destination);
  const auto inner = inner_differences(from, to);
  Legs outer;
  add_outer(from, to, outer);
  // If nothing lies between both parts, inner + 1 of the turns are the route.
  if (outer.count == 0) return (1U << inner) - inner;
  std::uint32_t paths = 1U << inner;
  for (const Leg& leg : outer)
    if (leg.is_tie) paths *= 2;
  return paths;
}

// The lowest digits of the number (0 or 1) are the directions of ties, 0 for that of the route; the
// next ones are the axes among A, B and C that the path traverses late.
void Tofu::shortest_path(const RouteEnds& ends, std::uint32_t number,
                         std::vector<LinkId>& links) const {
  TUTTI_CHECK(number < shortest_paths(ends), "no such path");
  const auto from = node_of(ends.source);
  const auto to = node_of(ends.destination);
  Legs outer;
  add_outer(from, to, outer);
  for (Leg& leg : outer)
    if (leg.is_tie) {
      leg.onward ^= number % 2 != 0;
      number /= 2;
    }
  std::uint32_t late = number;
  if (outer.count == 0 && number > 0) {
    const auto inner = inner_differences(from, to);
    for (late = 0; number > 0; number -= is_route(late, inner) ? 0 : 1) ++late;
  }
  go(from, turn(from, to, late), to, outer, links);
}

std::uint64_t Tofu::detours(const RouteEnds& ends) const {
  const auto from = node_of(ends.source);
  const auto to = node_of(ends.destination);
  Legs outer;
  add_outer(from, to, outer);
  return outer.count == 0 ? 0 : inner_positions - (1U << inner_differences(from, to));
}

// Over the position with this number of those that are not between the source and the destination.
void Tofu::detour(const RouteEnds& ends, std::uint64_t number, std::vector<LinkId>& links) const {
  TUTTI_CHECK(number < detours(ends), "no such detour");
  const auto from = node_of(ends.source);
  const auto to = node_of(ends.destination);
  const auto unit = axes_[axis_a].stride.value();
  const auto is_between = [&](std::uint32_t node) {
    return std::ranges::all_of(inner_axes, [&](std::size_t axis) {
      const auto at = coordinate(node, axes_[axis]);
      return at == coordinate(from, axes_[axis]) || at == coordinate(to, axes_[axis]);
    });
  };
  auto via = from % unit;
  for (;; via += unit) {
    if (is_between(via)) continue;
    if (number == 0) break;
    --number;
  }
  Legs outer;
  add_outer(from, to, outer);
  go(from, via, to, outer, links);
}

std::optional<std::pair<HostId, HostId>> Tofu::farthest_hosts() const {
  std::uint32_t opposite = 0;
  for (const Axis& axis : axes_) opposite += axis.size.value() / 2 * axis.stride.value();
  const auto hosts = host_at();
  return std::pair(hosts[0], hosts[opposite]);
}

Graph Tofu::graph() const {
  Graph graph{.hosts = host_count(), .switches = {}, .edges = {}};
  const auto hosts = host_at();
  for (std::uint32_t node = 0; node < host_count(); ++node)
    for (const Axis& axis : axes_) {
      const bool is_second = !axis.is_ring && coordinate(node, axis) == 1;
      if (axis.size.value() > 1 && !is_second)
        connect(graph, hosts[node], hosts[next(node, axis)], cable(node, axis));
    }
  return graph;
}

// The axis; one of a single node has no links.
std::size_t Tofu::level_of_cable(std::uint32_t cable) const {
  std::size_t number = tofu_axes - 1;
  while (cable < axes_[number].first_cable || axes_[number].size.value() == 1) --number;
  return number;
}

std::string Tofu::cable_name(std::uint32_t cable) const {
  const auto number = level_of_cable(cable);
  const Axis& axis = axes_[number];
  auto node = cable - axis.first_cable;
  if (!axis.is_ring) {
    const auto [above, below] = axis.stride.divide(node);
    node = above * axis.stride.value() * axis.size.value() + below;
  }
  return fmt::format("{}_link_{}_from_{}_to_{}", spec().id, axis_names[number], node,
                     next(node, axis));
}

Result<TofuShape> with_job(TofuShape network, std::string_view sizes) {
  constexpr const char* form = "expected one to three sizes: \"8x6x4\"";
  for (const auto part : split(sizes, 'x'))
    network.job.push_back(TUTTI_TRY(shape_fields::parse_count(part, form)));
  if (network.job.size() > 3)
    return shape_fields::reject(
        fmt::format("{} dimensions: a job on Tofu has at most 3", network.job.size()), form);
  if (embedding_of(network)) return network;
  return shape_fields::reject(
      fmt::format("{} does not fit: each size must be a product of some of the axes {}",
                  in_quotes(sizes), fmt::join(network.axes, ",")),
      fmt::format("for example {}x{}x{}", network.axes[0] * network.axes[3],
                  network.axes[1] * network.axes[4], network.axes[2] * network.axes[5]));
}

namespace {

// A unit: pairs of nodes on the axes A (to the right) and C (backward), rings on B (downward).
DetailDrawing draw_unit() {
  DetailDrawing unit;
  for (int c = 1; c >= 0; --c)
    for (int b = 0; b < 3; ++b)
      for (int a = 0; a < 2; ++a) unit.nodes.push_back({150.0 * a + 70.0 * c, 80.0 * b - 34.0 * c});
  const auto node = [](std::size_t a, std::size_t b, std::size_t c) {
    return (1 - c) * 6 + b * 2 + a;
  };
  for (std::size_t b = 0; b < 3; ++b)
    for (std::size_t i = 0; i < 2; ++i) {
      unit.lines.push_back({node(0, b, i), node(1, b, i)});
      unit.lines.push_back({node(i, b, 0), node(i, b, 1)});
    }
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t c = 0; c < 2; ++c) {
      unit.lines.push_back({node(a, 0, c), node(a, 2, c)});
      unit.lines.push_back({node(a, 0, c), node(a, 2, c), a == 0 ? -42.0 : 42.0});
    }
  unit.labels = {{{75, 180}, "A"}, {{-44, 84}, "B"}, {{198, 158}, "C"}};
  unit.words = {"A unit: 12 nodes",
                "axis A: 2 nodes, one link",
                "axis B: 3 nodes, a ring",
                "axis C: 2 nodes, one link",
                "",
                "X, Y and Z connect each node to the nodes",
                "with the same position in the next units."};
  return unit;
}

}  // namespace

TopologyDescription Tofu::describe() const {
  auto description = CableCluster::describe();
  const auto size = [&](std::size_t axis) { return axes_[axis].size.value(); };
  description.words = fmt::format("Tofu of {} x {} x {} units with {} x {} x {} nodes each",
                                  size(0), size(1), size(2), size(3), size(4), size(5));
  std::vector<std::uint32_t> job;
  for (const Dimension& dimension : dimensions_) job.push_back(dimension.size);
  if (!job.empty()) description.words += fmt::format(", a job of {}", fmt::join(job, " x "));
  description.most_single_nodes = 0;
  description.forwards = true;
  description.unlike_simgrid = "the topology Tofu";
  RingsDrawing drawing{
      .title = "A torus of units", .position = "unit", .rings = {}, .unit = draw_unit()};
  for (std::size_t axis = 0; axis < 3; ++axis)
    drawing.rings.push_back({fmt::format("axis {}", axis_names[axis]), size(axis)});
  description.schematic = std::move(drawing);
  return description;
}

namespace {

Result<NetworkPlan> read_tofu(std::string_view text, const ClusterSpec& spec) {
  constexpr const char* form =
      "expected the sizes of the axes X,Y,Z,A,B,C, of which A, B and C are 2, 3 and 2: "
      "\"4,2,2,2,3,2\"";
  const auto sizes = TUTTI_TRY(shape_fields::parse_counts(text, form));
  if (sizes.size() != tofu_axes)
    return shape_fields::reject(
        fmt::format("{} size(s), but Tofu has {} axes", sizes.size(), tofu_axes), form);
  if (sizes[3] != 2 || sizes[4] != 3 || sizes[5] != 2)
    return shape_fields::reject(
        fmt::format("invalid axes A,B,C {},{},{}: expected 2,3,2", sizes[3], sizes[4], sizes[5]),
        form);
  TofuShape shape;
  std::ranges::copy(sizes, shape.axes.begin());
  auto plan = TUTTI_TRY(shape_fields::plan<Tofu>(shape, numbered_levels("dimension", tofu_axes),
                                                 spec, fmt::format("{}", fmt::join(sizes, " x "))));
  plan.build = [shape](ClusterSpec of_file,
                       const Settings& settings) -> Result<std::unique_ptr<const Topology>> {
    auto network = shape;
    if (const auto* job = settings.find(torus_dimensions_key)) {
      const auto logical = with_job(shape, job->value);
      if (!logical) return job->error(logical.error().message, logical.error().hint);
      network = *logical;
    }
    return std::unique_ptr<const Topology>(std::make_unique<Tofu>(std::move(of_file), network));
  };
  return plan;
}

Result<NewNetwork> new_tofu(const NewShape& shape) {
  constexpr std::int64_t nodes_of_unit = 12;
  if (shape.dims.size() != 3)
    return usage_error("--dims", "a Tofu network has three sizes X, Y and Z",
                       "for example --dims 4x4x4");
  const auto nodes = shape.nodes_of_dims(nodes_of_unit);
  if (auto error = reject_many_nodes("--dims", nodes)) return *error;
  return NewNetwork{nodes, fmt::format("{},2,3,2", fmt::join(shape.dims, ",")),
                    fmt::format("{} on a Tofu network of {} x 2 x 3 x 2", counted(nodes, "node"),
                                fmt::join(shape.dims, " x "))};
}

}  // namespace

TopologyFamily tofu_family() {
  return {.name = "TOFU",
          .noun = "a Tofu network",
          .read = read_tofu,
          .new_kind = "tofu",
          .new_options = {"--dims"},
          .new_required = {"--dims"},
          .make_new = new_tofu,
          .keys = {torus_dimensions_key}};
}

}  // namespace tutti::platforms
