// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/dragonfly_1d.hpp"

#include "platforms/topologies/shape_fields.hpp"
#include "platforms/topology_description.hpp"

namespace tutti::platforms {
namespace {

GroupSizes group_sizes(const Dragonfly1dShape& shape) {
  return {.group = "group",
          .global = {.groups = shape.groups, .links = shape.global, .switches = shape.switches},
          .local = shape.local,
          .local_cables = saturating_product(
              saturating_product(shape.groups, pairs(shape.switches)), shape.local)};
}

}  // namespace

NetworkSize size_of(const Dragonfly1dShape& shape) {
  return size_of(group_sizes(shape), shape.nodes);
}

Dragonfly1d::Dragonfly1d(ClusterSpec spec, const Dragonfly1dShape& shape)
    : GroupCluster(std::move(spec), group_sizes(shape), shape.nodes),
      switches_(shape.switches),
      switch_pairs_(static_cast<std::uint32_t>(pairs(shape.switches))) {
  TUTTI_CHECK(switches_of(shape.nodes) == std::uint64_t{shape.groups} * shape.switches,
              "switches without a number of nodes");
}

std::uint32_t Dragonfly1d::local_cable(std::uint32_t group, std::uint32_t a, std::uint32_t b,
                                       std::uint32_t port) const {
  const auto pair = group * switch_pairs_ + pair_index(a, b, switches_.value());
  return first_local() + pair * local().value() + port;
}

void Dragonfly1d::move(std::uint32_t group, std::uint32_t a, std::uint32_t b, std::uint32_t port,
                       std::vector<LinkId>& links) const {
  if (a != b) links.push_back(toward(local_cable(group, a, b, port), a < b));
}

Dragonfly1d::Ends Dragonfly1d::ends_of(std::uint32_t from, std::uint32_t to) const {
  const auto [a, source] = switches_.divide(from);
  const auto [b, destination] = switches_.divide(to);
  return {global().ends_at(a, b, source), global().ends_at(b, a, destination)};
}

std::uint64_t Dragonfly1d::paths(std::uint32_t from, std::uint32_t to) const {
  const std::uint64_t ports = local().value();
  if (switches_.quotient(from) == switches_.quotient(to)) return ports;
  const auto ends = ends_of(from, to);
  if (ends.are_same()) return ends.of_source.count;
  if (const std::uint64_t count = ends.of_source.count + ends.of_destination.count; count > 0)
    return saturating_product(count, ports);
  return saturating_product(global().links, saturating_product(ports, ports));
}

// The lowest digit of the number is the link between the groups: of those that begin at the source,
// then of those that end at the destination, or else of all. The next digits are the local links.
void Dragonfly1d::path(std::uint32_t from, std::uint32_t to, std::uint64_t number,
                       std::vector<LinkId>& links) const {
  const auto [a, source] = switches_.divide(from);
  const auto [b, destination] = switches_.divide(to);
  Digits digits(number);
  if (a == b) return move(a, source, destination, digits.next(local().value()), links);
  const auto ends = ends_of(from, to);
  const auto begins = ends.of_source.count;
  const auto either = ends.are_same() ? begins : begins + ends.of_destination.count;
  std::uint32_t link = digits.next(either > 0 ? either : global().links);
  if (either > 0)
    link = link < begins ? ends.of_source.first + link * switches_.value()
                         : ends.of_destination.first + (link - begins) * switches_.value();
  const auto exit = global().end(a, b, link);
  const auto entry = global().end(b, a, link);
  move(a, source, exit, source == exit ? 0 : digits.next(local().value()), links);
  cross(a, b, link, links);
  move(b, entry, destination, entry == destination ? 0 : digits.next(local().value()), links);
}

std::uint64_t Dragonfly1d::longer_paths(std::uint32_t from, std::uint32_t to) const {
  if (switches_.quotient(from) == switches_.quotient(to))
    return std::uint64_t{switches_.value() - 2} * local().value();
  return std::uint64_t{global().groups - 2} * global().links;
}

// Inside a group the digits are the local link and the third switch; otherwise the link to the
// third group, and the third group.
void Dragonfly1d::longer_path(std::uint32_t from, std::uint32_t to, std::uint64_t number,
                              std::vector<LinkId>& links) const {
  const auto [a, source] = switches_.divide(from);
  const auto [b, destination] = switches_.divide(to);
  Digits digits(number);
  if (a == b) {
    const auto port = digits.next(local().value());
    const auto third = other_than(source, destination, digits.next(switches_.value() - 2));
    move(a, source, third, port, links);
    return move(a, third, destination, port, links);
  }
  const auto link = digits.next(global().links);
  const auto third = other_than(a, b, digits.next(global().groups - 2));
  move(a, source, global().end(a, third, link), link % local().value(), links);
  cross(a, third, link, links);
  const auto entry = third * switches_.value() + global().end(third, a, link);
  path(entry, to, link % paths(entry, to), links);
}

std::string Dragonfly1d::local_cable_name(std::uint32_t index) const {
  const auto [pair, port] = local().divide(index);
  const auto [a, b] = pair_at(pair % switch_pairs_, switches_.value());
  const auto name =
      fmt::format("{}_link_group_{}_switches_{}_{}", spec().id, pair / switch_pairs_, a, b);
  return local().value() == 1 ? name : fmt::format("{}_port_{}", name, port);
}

Graph Dragonfly1d::graph() const {
  Graph graph = graph_of_hosts();
  const auto vertex = [&](std::uint32_t group, std::uint32_t at) {
    return host_count() + group * switches_.value() + at;
  };
  for (std::uint32_t group = 0; group < global().groups; ++group)
    for (std::uint32_t a = 0; a < switches_.value(); ++a) {
      graph.switches.push_back(fmt::format("{}_switch_{}_{}", spec().id, group, a));
      for (auto b = a + 1; b < switches_.value(); ++b)
        for (std::uint32_t port = 0; port < local().value(); ++port)
          connect(graph, vertex(group, a), vertex(group, b), local_cable(group, a, b, port));
    }
  connect_groups(graph, vertex);
  return graph;
}

TopologyDescription Dragonfly1d::describe() const {
  auto description = describe_groups(switches_.value(), 0);
  description.words =
      fmt::format("1D dragonfly of {} with {} each", counted(global().groups, "group"),
                  counted(switches_.value(), "switch"));
  return description;
}

namespace {

Result<NetworkPlan> read_dragonfly_1d(std::string_view text, const ClusterSpec& spec) {
  constexpr const char* form =
      "expected GROUPS,GLOBAL;SWITCHES,LOCAL;NODES, NODES per switch: \"4,2;4,1;2\", or runs of "
      "switches: \"4,2;4,1;2x12,1x4\"";
  const auto fields = TUTTI_TRY(shape_fields::parse_fields(text, 3, "a 1D dragonfly", form));
  const auto groups = TUTTI_TRY(shape_fields::parse_pair(fields[0], form));
  const auto switches = TUTTI_TRY(shape_fields::parse_pair(fields[1], form));
  const auto all = saturating_product(groups[0], switches[0]);
  const Dragonfly1dShape shape{.groups = groups[0],
                               .global = groups[1],
                               .switches = switches[0],
                               .local = switches[1],
                               .nodes = TUTTI_TRY(parse_runs(fields[2], all, form))};
  return shape_fields::plan<Dragonfly1d>(shape, dragonfly_levels, spec,
                                         product_text({groups[0], switches[0]}, shape.nodes));
}

Result<NewNetwork> new_dragonfly_1d(const NewShape& shape) {
  const auto nodes = shape.groups * shape.routers * shape.nodes_per_router;
  if (auto error = reject_many_nodes("--groups", nodes)) return *error;
  return NewNetwork{nodes,
                    fmt::format("{},{};{},{};{}", shape.groups, shape.global_links, shape.routers,
                                shape.local_links, shape.nodes_per_router),
                    fmt::format("{} on a 1D dragonfly: {} of {}", counted(nodes, "node"),
                                counted(shape.groups, "group"), counted(shape.routers, "switch"))};
}

}  // namespace

TopologyFamily dragonfly_1d_family() {
  return {.name = "DRAGONFLY_1D",
          .noun = "a 1D dragonfly",
          .read = read_dragonfly_1d,
          .new_kind = "dragonfly-1d",
          .new_options = {"--groups", "--routers", "--global-links", "--local-links",
                          "--nodes-per-router"},
          .new_required = {"--groups", "--routers"},
          .make_new = new_dragonfly_1d};
}

}  // namespace tutti::platforms
