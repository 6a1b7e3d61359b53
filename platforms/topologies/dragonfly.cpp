// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/dragonfly.hpp"

#include "platforms/topologies/group_links.hpp"
#include "platforms/topologies/pairs.hpp"
#include "platforms/topologies/shape_fields.hpp"
#include "platforms/topologies/switch_cluster.hpp"
#include "platforms/topology_description.hpp"

namespace tutti::platforms {

NetworkSize size_of(const DragonflyShape& shape) {
  const auto chassis = saturating_product(shape.groups, shape.chassis);
  const auto routers = saturating_product(chassis, shape.routers);
  const auto hosts = saturating_product(routers, shape.nodes);
  const auto green = saturating_product(chassis, pairs(shape.routers));
  const auto black =
      saturating_product(saturating_product(shape.groups, pairs(shape.chassis)), shape.routers);
  return {.hosts = hosts,
          .nodes = saturating_sum(hosts, routers),
          .cables = saturating_sum(saturating_sum(hosts, green),
                                   saturating_sum(black, pairs(shape.groups)))};
}

Dragonfly::Dragonfly(ClusterSpec spec, const DragonflyShape& shape)
    : CableCluster(std::move(spec), size_of(shape)),
      shape_(shape),
      nodes_(shape.nodes),
      routers_(shape.routers),
      chassis_(shape.chassis),
      green_pairs_(static_cast<std::uint32_t>(pairs(shape.routers))),
      black_pairs_(static_cast<std::uint32_t>(pairs(shape.chassis))),
      first_green_(host_count()),
      first_black_(first_green_ + shape.groups * shape.chassis * green_pairs_),
      first_blue_(first_black_ + shape.groups * black_pairs_ * shape.routers) {
  TUTTI_CHECK(shape.groups <= shape.routers, "groups without a router");
}

Dragonfly::Place Dragonfly::place(HostId host) const {
  const auto [chassis_number, router] = routers_.divide(nodes_.quotient(host));
  const auto [group, chassis] = chassis_.divide(chassis_number);
  return {group, chassis, router};
}

std::uint32_t Dragonfly::number(const Place& at) const {
  return (at.group * shape_.chassis + at.chassis) * shape_.routers + at.router;
}

std::uint32_t Dragonfly::gateway(std::uint32_t group, std::uint32_t other) const {
  return number({.group = group, .chassis = 0, .router = other});
}

std::uint32_t Dragonfly::green_cable(std::uint32_t chassis, std::uint32_t a,
                                     std::uint32_t b) const {
  return first_green_ + chassis * green_pairs_ + pair_index(a, b, shape_.routers);
}

std::uint32_t Dragonfly::black_cable(std::uint32_t group, std::uint32_t a, std::uint32_t b,
                                     std::uint32_t router) const {
  const auto pair = group * black_pairs_ + pair_index(a, b, shape_.chassis);
  return first_black_ + pair * shape_.routers + router;
}

std::uint32_t Dragonfly::blue_cable(std::uint32_t a, std::uint32_t b) const {
  return first_blue_ + pair_index(a, b, shape_.groups);
}

void Dragonfly::cross_chassis(const Place& at, std::uint32_t router,
                              std::vector<LinkId>& links) const {
  if (has_limiters()) links.push_back(limiter_of(at));
  const auto chassis = at.group * shape_.chassis + at.chassis;
  links.push_back(toward(green_cable(chassis, at.router, router), at.router < router));
}

void Dragonfly::cross_group(const Place& at, std::uint32_t chassis,
                            std::vector<LinkId>& links) const {
  if (has_limiters()) links.push_back(limiter_of(at));
  const auto cable = black_cable(at.group, at.chassis, chassis, at.router);
  links.push_back(toward(cable, at.chassis < chassis));
}

Dragonfly::Place Dragonfly::leave_group(Place at, std::uint32_t group,
                                        std::vector<LinkId>& links) const {
  if (at.router != group) {
    cross_chassis(at, group, links);
    at.router = group;
  }
  if (at.chassis != 0) {
    cross_group(at, 0, links);
    at.chassis = 0;
  }
  links.push_back(toward(blue_cable(at.group, group), at.group < group));
  if (has_limiters()) links.push_back(limiter_of(at));
  return {.group = group, .chassis = 0, .router = at.group};
}

void Dragonfly::approach(Place at, HostId destination, std::vector<LinkId>& links) const {
  const Place target = place(destination);
  if (at != target) {
    if (at.group != target.group) at = leave_group(at, target.group, links);
    if (at.router != target.router) {
      cross_chassis(at, target.router, links);
      at = {.group = target.group, .chassis = 0, .router = target.router};
    }
    if (at.chassis != target.chassis) cross_group(at, target.chassis, links);
  }
  if (has_limiters()) links.push_back(limiter_of(target));
  arrive(destination, links);
}

void Dragonfly::route(HostId source, HostId destination, std::vector<LinkId>& links) const {
  leave(source, links);
  approach(place(source), destination, links);
}

std::uint64_t Dragonfly::detours(const RouteEnds& ends) const {
  return place(ends.source).group == place(ends.destination).group ? 0 : shape_.groups - 2;
}

void Dragonfly::detour(const RouteEnds& ends, std::uint64_t number,
                       std::vector<LinkId>& links) const {
  TUTTI_CHECK(number < detours(ends), "no such detour");
  const Place from = place(ends.source);
  const auto third =
      other_than(from.group, place(ends.destination).group, static_cast<std::uint32_t>(number));
  leave(ends.source, links);
  approach(leave_group(from, third, links), ends.destination, links);
}

std::uint32_t Dragonfly::end_of_equal_cables(std::uint32_t cable) const {
  for (const auto end : {first_green_, first_black_, first_blue_})
    if (cable < end) return end;
  return cable_count();
}

std::size_t Dragonfly::level_of_cable(std::uint32_t cable) const {
  if (cable < first_green_) return 0;
  return cable < first_blue_ ? 1 : 2;
}

std::uint32_t Dragonfly::wires(std::uint32_t cable) const {
  if (cable < first_green_) return 1;
  if (cable < first_black_) return shape_.router_links;
  return cable < first_blue_ ? shape_.chassis_links : shape_.group_links;
}

std::string Dragonfly::cable_name(std::uint32_t cable) const {
  if (cable < first_green_) {
    const auto [router, node] = nodes_.divide(cable);
    return fmt::format("local_link_from_router_{}_to_node_{}_{}", router, node,
                       cable_number(cable));
  }
  if (cable < first_black_) return green_name(cable);
  return cable < first_blue_ ? black_name(cable) : blue_name(cable);
}

std::string Dragonfly::green_name(std::uint32_t cable) const {
  const auto index = cable - first_green_;
  const auto [a, b] = pair_at(index % green_pairs_, shape_.routers);
  return fmt::format("green_link_in_chassis_{}_between_routers_{}_and_{}_{}",
                     index / green_pairs_ % shape_.chassis, a, b, cable_number(cable));
}

std::string Dragonfly::black_name(std::uint32_t cable) const {
  const auto [index, router] = routers_.divide(cable - first_black_);
  const auto [a, b] = pair_at(index % black_pairs_, shape_.chassis);
  return fmt::format("black_link_in_group_{}_between_chassis_{}_and_{}_blade_{}_{}",
                     index / black_pairs_, a, b, router, cable_number(cable));
}

std::string Dragonfly::blue_name(std::uint32_t cable) const {
  const auto [a, b] = pair_at(cable - first_blue_, shape_.groups);
  return fmt::format("blue_link_between_group_{}_and_{}_routers_{}_and_{}_{}", a, b, gateway(a, b),
                     gateway(b, a), cable_number(cable));
}

// SimGrid numbers routers downward from 2 * hosts - 1.
std::int64_t Dragonfly::limiter_number(std::uint32_t node) const {
  const std::int64_t hosts = host_count();
  return node < hosts ? node : 2 * hosts - 1 - (node - hosts);
}

Graph Dragonfly::graph() const {
  Graph graph{.hosts = host_count(), .switches = {}, .edges = {}};
  const auto vertex = [&](std::uint32_t group, std::uint32_t chassis, std::uint32_t router) {
    return host_count() + number({group, chassis, router});
  };
  for (HostId host = 0; host < host_count(); ++host)
    connect(graph, host, host_count() + nodes_.quotient(host), host);
  for (std::uint32_t g = 0; g < shape_.groups; ++g) {
    for (std::uint32_t c = 0; c < shape_.chassis; ++c)
      for (std::uint32_t r = 0; r < shape_.routers; ++r) {
        graph.switches.push_back(fmt::format("{}_router_{}_{}_{}", spec().id, g, c, r));
        for (auto other = r + 1; other < shape_.routers; ++other)
          connect(graph, vertex(g, c, r), vertex(g, c, other),
                  green_cable(g * shape_.chassis + c, r, other));
        for (auto other = c + 1; other < shape_.chassis; ++other)
          connect(graph, vertex(g, c, r), vertex(g, other, r), black_cable(g, c, other, r));
      }
    for (auto other = g + 1; other < shape_.groups; ++other)
      connect(graph, vertex(g, 0, other), vertex(other, 0, g), blue_cable(g, other));
  }
  return graph;
}

TopologyDescription Dragonfly::describe() const {
  auto description = CableCluster::describe();
  description.layout = NodeLayout::groups;
  description.numbers_from_group = 3;
  return description;
}

namespace {

Result<NetworkPlan> read_dragonfly(std::string_view text, const ClusterSpec& spec) {
  constexpr const char* form =
      "expected GROUPS,LINKS;CHASSIS,LINKS;ROUTERS,LINKS;NODES: \"3,4;4,3;5,1;2\"";
  const auto fields = TUTTI_TRY(shape_fields::parse_fields(text, 4, "a dragonfly", form));
  const auto groups = TUTTI_TRY(shape_fields::parse_pair(fields[0], form));
  const auto chassis = TUTTI_TRY(shape_fields::parse_pair(fields[1], form));
  const auto routers = TUTTI_TRY(shape_fields::parse_pair(fields[2], form));
  const auto nodes = TUTTI_TRY(shape_fields::parse_count(fields[3], form));
  if (groups[0] > routers[0])
    return shape_fields::reject(
        fmt::format("{} groups, but {} router(s) in a chassis", groups[0], routers[0]),
        "the link to group n ends at router n of the first chassis, so a chassis needs at least "
        "one router per group");
  const DragonflyShape shape{.groups = groups[0],
                             .group_links = groups[1],
                             .chassis = chassis[0],
                             .chassis_links = chassis[1],
                             .routers = routers[0],
                             .router_links = routers[1],
                             .nodes = nodes};
  return shape_fields::plan<Dragonfly>(
      shape, dragonfly_levels, spec,
      fmt::format("{} x {} x {} x {}", shape.groups, shape.chassis, shape.routers, nodes));
}

Result<NewNetwork> new_dragonfly(const NewShape& shape) {
  const auto [groups, chassis, routers, nodes_each] =
      std::tuple(shape.groups, shape.chassis, shape.routers, shape.nodes_per_router);
  const auto nodes = groups * chassis * routers * nodes_each;
  if (auto error = reject_many_nodes("--groups", nodes)) return *error;
  if (groups > routers)
    return usage_error(
        "--groups",
        fmt::format("{} groups, but {} per chassis", groups, counted(routers, "router")),
        fmt::format("the link to group n ends at router n of the first chassis: "
                    "use --routers {} or more",
                    groups));
  const auto count = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };
  const auto size = size_of(DragonflyShape{.groups = count(groups),
                                           .chassis = count(chassis),
                                           .routers = count(routers),
                                           .nodes = count(nodes_each)});
  if (links_of(size, {}) > most_links)
    return usage_error("--routers", fmt::format("more than {} links", most_links),
                       "use fewer routers per chassis or fewer chassis per group");
  return NewNetwork{nodes, fmt::format("{},1;{},1;{},1;{}", groups, chassis, routers, nodes_each),
                    fmt::format("{} nodes on a dragonfly: {} groups of {} x {} routers, {} nodes "
                                "each",
                                nodes, groups, chassis, routers, nodes_each)};
}

}  // namespace

TopologyFamily dragonfly_family() {
  return {.name = "DRAGONFLY",
          .noun = "a dragonfly",
          .read = read_dragonfly,
          .new_kind = "dragonfly",
          .new_options = {"--groups", "--chassis", "--routers", "--nodes-per-router"},
          .new_required = {"--groups", "--routers"},
          .make_new = new_dragonfly};
}

}  // namespace tutti::platforms
