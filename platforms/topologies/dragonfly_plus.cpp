// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/dragonfly_plus.hpp"

#include "platforms/topologies/shape_fields.hpp"
#include "platforms/topology_description.hpp"

namespace tutti::platforms {
namespace {

GroupSizes cell_sizes(const DragonflyPlusShape& shape) {
  const auto leaves = saturating_product(shape.cells, shape.leaves);
  return {
      .group = "cell",
      .global = {.groups = shape.cells, .links = shape.global, .switches = shape.spines},
      .local = shape.local,
      .local_cables = saturating_product(saturating_product(leaves, shape.spines), shape.local)};
}

}  // namespace

NetworkSize size_of(const DragonflyPlusShape& shape) {
  return size_of(cell_sizes(shape), shape.nodes);
}

DragonflyPlus::DragonflyPlus(ClusterSpec spec, const DragonflyPlusShape& shape)
    : GroupCluster(std::move(spec), cell_sizes(shape), shape.nodes),
      leaves_(shape.leaves),
      spines_(shape.spines) {
  TUTTI_CHECK(switches_of(shape.nodes) == std::uint64_t{shape.cells} * shape.leaves,
              "leaves without a number of nodes");
}

std::uint64_t DragonflyPlus::paths(std::uint32_t from, std::uint32_t to) const {
  const bool same_cell = leaves_.quotient(from) == leaves_.quotient(to);
  const std::uint64_t ports = std::uint64_t{local().value()} * local().value();
  return saturating_product(same_cell ? spines_.value() : global().links, ports);
}

// The number has three digits: the spine or the link between the cells, the link up from the first
// leaf, the link down to the last.
void DragonflyPlus::path(std::uint32_t from, std::uint32_t to, std::uint64_t number,
                         std::vector<LinkId>& links) const {
  const auto a = leaves_.quotient(from);
  const auto b = leaves_.quotient(to);
  Digits digits(number);
  const auto way = digits.next(a == b ? spines_.value() : global().links);
  const auto port_up = digits.next(local().value());
  const auto port_down = digits.next(local().value());
  if (a == b) {
    links.push_back(up(local_cable(from, way, port_up)));
    links.push_back(down(local_cable(to, way, port_down)));
    return;
  }
  links.push_back(up(local_cable(from, global().end(a, b, way), port_up)));
  cross(a, b, way, links);
  links.push_back(down(local_cable(to, global().end(b, a, way), port_down)));
}

std::uint64_t DragonflyPlus::longer_paths(std::uint32_t from, std::uint32_t to) const {
  if (leaves_.quotient(from) == leaves_.quotient(to)) return 0;
  const std::uint64_t ports = std::uint64_t{local().value()} * local().value();
  return saturating_product(std::uint64_t{global().groups - 2} * global().links, ports);
}

// The number has four digits: the link to the third cell, the third cell, and the links up and
// down.
void DragonflyPlus::longer_path(std::uint32_t from, std::uint32_t to, std::uint64_t number,
                                std::vector<LinkId>& links) const {
  const auto a = leaves_.quotient(from);
  const auto b = leaves_.quotient(to);
  Digits digits(number);
  const auto first = digits.next(global().links);
  const auto third = other_than(a, b, digits.next(global().groups - 2));
  const auto port_up = digits.next(local().value());
  const auto port_down = digits.next(local().value());
  links.push_back(up(local_cable(from, global().end(a, third, first), port_up)));
  cross(a, third, first, links);
  const auto arrival = global().end(third, a, first);
  const auto onward = global().ends_at(third, b, arrival);
  auto second = first;
  if (onward.count > 0) {
    second = onward.first + first / spines_.value() % onward.count * spines_.value();
  } else {
    const auto position = (from + to + first) % leaves_.value();
    const auto leaf = third * leaves_.value() + position;
    links.push_back(down(local_cable(leaf, arrival, first % local().value())));
    links.push_back(up(local_cable(leaf, global().end(third, b, second), first % local().value())));
  }
  cross(third, b, second, links);
  links.push_back(down(local_cable(to, global().end(b, third, second), port_down)));
}

// Hosts are numbered by leaf and cell, so the first and the last are in different cells, or else in
// different leaves, if any are; and all routes between cells have as many links of each level.
std::optional<std::pair<HostId, HostId>> DragonflyPlus::farthest_hosts() const {
  return std::pair<HostId, HostId>(0, host_count() - 1);
}

std::string DragonflyPlus::local_cable_name(std::uint32_t index) const {
  const auto [pair, port] = local().divide(index);
  const auto [leaf, spine] = spines_.divide(pair);
  const auto [cell, position] = leaves_.divide(leaf);
  const auto name =
      fmt::format("{}_link_cell_{}_leaf_{}_spine_{}", spec().id, cell, position, spine);
  return local().value() == 1 ? name : fmt::format("{}_port_{}", name, port);
}

Graph DragonflyPlus::graph() const {
  Graph graph = graph_of_hosts();
  const auto leaves = global().groups * leaves_.value();
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf)
    graph.switches.push_back(
        fmt::format("{}_leaf_{}_{}", spec().id, leaf / leaves_.value(), leaf % leaves_.value()));
  const auto spine_at = [&](std::uint32_t cell, std::uint32_t spine) {
    return host_count() + leaves + cell * spines_.value() + spine;
  };
  for (std::uint32_t cell = 0; cell < global().groups; ++cell)
    for (std::uint32_t spine = 0; spine < spines_.value(); ++spine)
      graph.switches.push_back(fmt::format("{}_spine_{}_{}", spec().id, cell, spine));
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf)
    for (std::uint32_t spine = 0; spine < spines_.value(); ++spine)
      for (std::uint32_t port = 0; port < local().value(); ++port)
        connect(graph, host_count() + leaf, spine_at(leaf / leaves_.value(), spine),
                local_cable(leaf, spine, port));
  connect_groups(graph, spine_at);
  return graph;
}

TopologyDescription DragonflyPlus::describe() const {
  auto description = describe_groups(leaves_.value(), spines_.value());
  description.words =
      fmt::format("dragonfly+ of {} with {} leaf and {} spine switches each",
                  counted(global().groups, "cell"), leaves_.value(), spines_.value());
  return description;
}

namespace {

Result<NetworkPlan> read_dragonfly_plus(std::string_view text, const ClusterSpec& spec) {
  constexpr const char* form =
      "expected CELLS,GLOBAL;LEAVES,SPINES,LOCAL;NODES, NODES per leaf: \"4,6;3,3,1;2\", or runs "
      "of leaves: \"4,6;3,3,1;2x8,1x4\"";
  const auto fields = TUTTI_TRY(shape_fields::parse_fields(text, 3, "a dragonfly+", form));
  const auto cells = TUTTI_TRY(shape_fields::parse_pair(fields[0], form));
  const auto cell = TUTTI_TRY(shape_fields::parse_counts(fields[1], form));
  if (cell.size() != 3)
    return shape_fields::reject(
        fmt::format("invalid cell {}: expected LEAVES,SPINES,LOCAL", in_quotes(fields[1])), form);
  const auto leaves = saturating_product(cells[0], cell[0]);
  const DragonflyPlusShape shape{.cells = cells[0],
                                 .global = cells[1],
                                 .leaves = cell[0],
                                 .spines = cell[1],
                                 .local = cell[2],
                                 .nodes = TUTTI_TRY(parse_runs(fields[2], leaves, form))};
  return shape_fields::plan<DragonflyPlus>(shape, dragonfly_levels, spec,
                                           product_text({cells[0], cell[0]}, shape.nodes));
}

Result<NewNetwork> new_dragonfly_plus(const NewShape& shape) {
  const auto nodes = shape.groups * shape.leaves * shape.nodes_per_router;
  if (auto error = reject_many_nodes("--groups", nodes)) return *error;
  return NewNetwork{
      nodes,
      fmt::format("{},{};{},{},{};{}", shape.groups, shape.global_links, shape.leaves, shape.spines,
                  shape.local_links, shape.nodes_per_router),
      fmt::format("{} on a dragonfly+: {} of {} leaf and {} spine switches", counted(nodes, "node"),
                  counted(shape.groups, "cell"), shape.leaves, shape.spines)};
}

}  // namespace

TopologyFamily dragonfly_plus_family() {
  return {.name = "DRAGONFLY_PLUS",
          .noun = "a dragonfly+",
          .read = read_dragonfly_plus,
          .new_kind = "dragonfly-plus",
          .new_options = {"--groups", "--leaves", "--spines", "--global-links", "--local-links",
                          "--nodes-per-router"},
          .new_required = {"--groups", "--leaves", "--spines"},
          .make_new = new_dragonfly_plus};
}

}  // namespace tutti::platforms
