// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/hyperx.hpp"

#include "platforms/topologies/axis_orders.hpp"
#include "platforms/topologies/group_links.hpp"
#include "platforms/topologies/pairs.hpp"
#include "platforms/topologies/shape_fields.hpp"
#include "platforms/topology_description.hpp"

namespace tutti::platforms {
namespace {

std::uint64_t switch_count(const HyperXShape& shape) {
  std::uint64_t switches = 1;
  for (const auto size : shape.sizes) switches = saturating_product(switches, size);
  return switches;
}

std::uint64_t cables_in(const HyperXShape& shape, std::size_t dimension) {
  const auto size = shape.sizes[dimension];
  return saturating_product(saturating_product(switch_count(shape) / size, pairs(size)),
                            shape.links[dimension]);
}

}  // namespace

NetworkSize size_of(const HyperXShape& shape) {
  const auto hosts = hosts_of(shape.nodes);
  std::uint64_t cables = hosts;
  for (std::size_t d = 0; d < shape.sizes.size(); ++d)
    cables = saturating_sum(cables, cables_in(shape, d));
  return {.hosts = hosts, .nodes = hosts, .cables = cables};
}

HyperX::HyperX(ClusterSpec spec, const HyperXShape& shape)
    : SwitchCluster(std::move(spec), size_of(shape), shape.nodes),
      switches_(static_cast<std::uint32_t>(switch_count(shape))) {
  TUTTI_CHECK(!shape.sizes.empty() && shape.sizes.size() <= most_hyperx_dimensions,
              "no such HyperX");
  TUTTI_CHECK(switches_of(shape.nodes) == switch_count(shape),
              "switches without a number of nodes");
  std::uint32_t stride = 1;
  std::uint32_t cable = host_count();
  for (std::size_t d = 0; d < shape.sizes.size(); ++d) {
    dimensions_.push_back({Divisor(shape.sizes[d]), Divisor(stride), shape.links[d], cable});
    stride *= shape.sizes[d];
    cable += static_cast<std::uint32_t>(cables_in(shape, d));
  }
}

std::size_t HyperX::steps_between(std::uint32_t from, std::uint32_t to, Steps& steps) const {
  std::size_t count = 0;
  for (const Dimension& each : dimensions_) {
    const auto [from_rest, here] = each.size.divide(from);
    const auto [to_rest, there] = each.size.divide(to);
    if (here != there) steps[count++] = {&each, here, there, 0};
    from = from_rest;
    to = to_rest;
  }
  return count;
}

std::uint32_t HyperX::cable(std::uint32_t at, const Dimension& dimension, std::uint32_t from,
                            std::uint32_t to, std::uint32_t link) const {
  const auto size = dimension.size.value();
  const auto [above, below] = dimension.stride.divide(at);
  const auto row = dimension.size.quotient(above) * dimension.stride.value() + below;
  const auto pair = row * static_cast<std::uint32_t>(pairs(size)) + pair_index(from, to, size);
  return dimension.first_cable + pair * dimension.links + link;
}

std::uint32_t HyperX::go(std::uint32_t at, const Step& step, std::vector<LinkId>& links) const {
  const auto used = cable(at, *step.dimension, step.from, step.to, step.link);
  links.push_back(toward(used, step.from < step.to));
  return at + (step.to - step.from) * step.dimension->stride.value();  // modulo 2^32
}

std::uint64_t HyperX::fixed_paths(std::uint32_t from, std::uint32_t to) const {
  Steps steps;
  std::uint64_t parallel = 1;
  const auto count = steps_between(from, to, steps);
  for (std::size_t i = 0; i < count; ++i)
    parallel = saturating_product(parallel, steps[i].dimension->links);
  return parallel;
}

std::uint64_t HyperX::paths(std::uint32_t from, std::uint32_t to) const {
  Steps steps;
  return saturating_product(fixed_paths(from, to), order_count(steps_between(from, to, steps)));
}

// The lowest digits of the number are the parallel links in order of the dimensions, the next one
// is the order.
void HyperX::path(std::uint32_t from, std::uint32_t to, std::uint64_t number,
                  std::vector<LinkId>& links) const {
  Steps steps;
  const auto count = steps_between(from, to, steps);
  Digits digits(number);
  for (std::size_t i = 0; i < count; ++i) steps[i].link = digits.next(steps[i].dimension->links);
  arrange(std::span(steps.data(), count), static_cast<std::uint32_t>(digits.rest()));
  for (std::size_t i = 0; i < count; ++i) from = go(from, steps[i], links);
}

std::uint64_t HyperX::longer_paths(std::uint32_t from, std::uint32_t to) const {
  Steps steps;
  std::uint64_t found = 0;
  const auto count = steps_between(from, to, steps);
  for (std::size_t i = 0; i < count; ++i) found += steps[i].dimension->size.value() - 2;
  return found;
}

// The number selects the switch that is visited in addition, in the first dimension, then in the
// next ones.
void HyperX::longer_path(std::uint32_t from, std::uint32_t to, std::uint64_t number,
                         std::vector<LinkId>& links) const {
  Steps steps;
  const auto count = steps_between(from, to, steps);
  auto left = static_cast<std::uint32_t>(number);
  bool done = false;
  for (std::size_t i = 0; i < count; ++i) {
    Step step = steps[i];
    step.link = static_cast<std::uint32_t>(number % step.dimension->links);
    const auto choices = step.dimension->size.value() - 2;
    if (!done && left < choices) {
      const auto via = other_than(step.from, step.to, left);
      from = go(from, {step.dimension, step.from, via, step.link}, links);
      step.from = via;
      done = true;
    }
    left -= choices;
    from = go(from, step, links);
  }
}

std::size_t HyperX::level_of_cable(std::uint32_t cable) const {
  std::size_t level = 0;
  while (level < dimensions_.size() && cable >= end_of_level(level)) ++level;
  return level;
}

std::uint32_t HyperX::end_of_level(std::size_t level) const {
  return level < dimensions_.size() ? dimensions_[level].first_cable : cable_count();
}

std::string HyperX::cable_name(std::uint32_t cable) const {
  if (cable < host_count()) return node_cable_name(cable);
  const auto d = level_of_cable(cable) - 1;
  const Dimension& dimension = dimensions_[d];
  const auto size = dimension.size.value();
  const auto index = cable - dimension.first_cable;
  const auto pairs_of_row = static_cast<std::uint32_t>(pairs(size));
  const auto row = index / dimension.links / pairs_of_row;
  const auto [a, b] = pair_at(index / dimension.links % pairs_of_row, size);
  const auto stride = dimension.stride.value();
  const auto first = row / stride * stride * size + row % stride;
  const auto name =
      fmt::format("{}_link_switches_{}_{}", spec().id, first + a * stride, first + b * stride);
  return dimension.links == 1 ? name : fmt::format("{}_number_{}", name, index % dimension.links);
}

// The corners differ in every dimension of more than one switch.
std::optional<std::pair<HostId, HostId>> HyperX::farthest_hosts() const {
  if (!is_even()) return std::nullopt;
  return std::pair<HostId, HostId>(0, host_count() - 1);
}

Graph HyperX::graph() const {
  Graph graph = graph_of_hosts();
  for (std::uint32_t at = 0; at < switches_; ++at) {
    graph.switches.push_back(fmt::format("{}_switch_{}", spec().id, at));
    for (const Dimension& each : dimensions_) {
      const auto from = each.size.divide(each.stride.quotient(at)).rest;
      for (auto to = from + 1; to < each.size.value(); ++to)
        for (std::uint32_t link = 0; link < each.links; ++link)
          connect(graph, host_count() + at, host_count() + at + (to - from) * each.stride.value(),
                  cable(at, each, from, to, link));
    }
  }
  return graph;
}

TopologyDescription HyperX::describe() const {
  auto description = SwitchCluster::describe();
  MeshesDrawing drawing;
  std::vector<std::uint32_t> sizes;
  for (const Dimension& dimension : dimensions_) {
    sizes.push_back(dimension.size.value());
    drawing.rows.push_back({dimension.size.value(), dimension.links});
  }
  description.words = fmt::format("HyperX of {} switches", fmt::join(sizes, " x "));
  description.schematic = std::move(drawing);
  return description;
}

namespace {

Result<NetworkPlan> read_hyperx(std::string_view text, const ClusterSpec& spec) {
  constexpr const char* form =
      "expected S1,S2,...;K1,K2,...;NODES with one size S and one number of parallel links K per "
      "dimension, NODES per switch: \"4,3;1,2;2\"";
  const auto fields = TUTTI_TRY(shape_fields::parse_fields(text, 3, "a HyperX", form));
  HyperXShape shape;
  shape.sizes = TUTTI_TRY(shape_fields::parse_counts(fields[0], form));
  shape.links = TUTTI_TRY(shape_fields::parse_counts(fields[1], form));
  const auto dimensions = shape.sizes.size();
  if (dimensions > most_hyperx_dimensions)
    return shape_fields::reject(
        fmt::format("{} dimensions: at most {} are supported", dimensions, most_hyperx_dimensions),
        "");
  if (shape.links.size() != dimensions)
    return shape_fields::reject(fmt::format("{} size(s), but {} number(s) of parallel links",
                                            dimensions, shape.links.size()),
                                form);
  shape.nodes = TUTTI_TRY(parse_runs(fields[2], switch_count(shape), form));
  auto levels = numbered_levels("dimension", dimensions);
  levels.insert(levels.begin(), "node");
  return shape_fields::plan<HyperX>(shape, std::move(levels), spec,
                                    product_text(shape.sizes, shape.nodes));
}

Result<NewNetwork> new_hyperx(const NewShape& shape) {
  const auto nodes = shape.nodes_of_dims(shape.nodes_per_router);
  if (auto error = reject_many_nodes("--dims", nodes)) return *error;
  const std::vector<std::int64_t> links(shape.dims.size(), shape.local_links);
  return NewNetwork{nodes,
                    fmt::format("{};{};{}", fmt::join(shape.dims, ","), fmt::join(links, ","),
                                shape.nodes_per_router),
                    fmt::format("{} on a HyperX of {} switches", counted(nodes, "node"),
                                fmt::join(shape.dims, " x "))};
}

}  // namespace

TopologyFamily hyperx_family() {
  return {.name = "HYPERX",
          .noun = "a HyperX",
          .read = read_hyperx,
          .new_kind = "hyperx",
          .new_options = {"--dims", "--local-links", "--nodes-per-router"},
          .new_required = {"--dims"},
          .make_new = new_hyperx};
}

}  // namespace tutti::platforms
