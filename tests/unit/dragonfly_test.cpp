// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/dragonfly.hpp"

#include <doctest/doctest.h>

#include "tests/support/topology_checks.hpp"

using namespace tutti;
using namespace tutti::platforms;
using tests::cluster_spec;
using tests::route_names;

namespace {

// Groups of two chassis of two routers with one node each; 3, 2 and 4 wires per link.
const DragonflyShape small{.groups = 2,
                           .group_links = 3,
                           .chassis = 2,
                           .chassis_links = 2,
                           .routers = 2,
                           .router_links = 4,
                           .nodes = 1};

}  // namespace

TEST_CASE("a dragonfly route goes to the group's router, over the blue link, to the target") {
  const Dragonfly fly(cluster_spec(8), small);
  CHECK(fly.kind() == "dragonfly");
  CHECK(fly.link_count() == 2 * (8 + 4 + 4 + 1));
  // From group 0, chassis 1, router 0 to group 1, chassis 1, router 1.
  CHECK(route_names(fly, 2, 7) ==
        "local_link_from_router_2_to_node_0_2_UP "
        "green_link_in_chassis_1_between_routers_0_and_1_9_UP "
        "black_link_in_group_0_between_chassis_0_and_1_blade_1_13_DOWN "
        "blue_link_between_group_0_and_1_routers_1_and_4_16_UP "
        "green_link_in_chassis_0_between_routers_0_and_1_10_UP "
        "black_link_in_group_1_between_chassis_0_and_1_blade_1_15_UP "
        "local_link_from_router_7_to_node_0_7_DOWN");
  CHECK(route_names(fly, 4, 1) ==
        "local_link_from_router_4_to_node_0_4_UP "
        "blue_link_between_group_0_and_1_routers_1_and_4_16_DOWN "
        "local_link_from_router_1_to_node_0_1_DOWN");
  CHECK(route_names(fly, 1, 1) ==
        "local_link_from_router_1_to_node_0_1_UP local_link_from_router_1_to_node_0_1_DOWN");
}

TEST_CASE("a link of a dragonfly has the bandwidth of its wires") {
  const Dragonfly fly(cluster_spec(8), small);
  CHECK(fly.link(2 * 7).bandwidth_Bps == 1e9);   // local
  CHECK(fly.link(2 * 8).bandwidth_Bps == 4e9);   // green
  CHECK(fly.link(2 * 12).bandwidth_Bps == 2e9);  // black
  CHECK(fly.link(2 * 16).bandwidth_Bps == 3e9);  // blue
}

TEST_CASE("inside a group a dragonfly follows SimGrid, which ignores the chassis") {
  const Dragonfly fly(cluster_spec(8), small);
  // From chassis 1, router 0 to chassis 0, router 1: the green link, and no black one.
  CHECK(route_names(fly, 2, 1) ==
        "local_link_from_router_2_to_node_0_2_UP "
        "green_link_in_chassis_1_between_routers_0_and_1_9_UP "
        "local_link_from_router_1_to_node_0_1_DOWN");
}

TEST_CASE("limiters of a dragonfly precede a link, and follow a blue one") {
  auto spec = cluster_spec(8);
  spec.limiter_Bps = 5e9;
  const Dragonfly fly(spec, small);
  CHECK(route_names(fly, 0, 4) ==
        "c_link_0_limiter local_link_from_router_0_to_node_0_0_UP c_link_15_limiter "
        "green_link_in_chassis_0_between_routers_0_and_1_8_UP "
        "blue_link_between_group_0_and_1_routers_1_and_4_16_UP c_link_14_limiter c_link_11_limiter "
        "local_link_from_router_4_to_node_0_4_DOWN c_link_4_limiter");
}

TEST_CASE("a dragonfly draws every link once, and routes of single chassis are walks along them") {
  const auto graph = Dragonfly(cluster_spec(8), small).graph();
  CHECK(graph.switches.size() == 8);
  CHECK(graph.switches[7] == "c_router_1_1_1");
  CHECK(graph.edges.size() == 2 * 17);
  tests::check_routes_are_walks(
      Dragonfly(cluster_spec(5 * 6 * 2), {.groups = 5, .chassis = 1, .routers = 6, .nodes = 2}));
}

TEST_CASE("a dragonfly continues the link numbers of earlier dragonflies in the file") {
  auto spec = cluster_spec(2);
  spec.before = {.hosts = 5, .cables = 10};
  const Dragonfly fly(spec, {.groups = 1, .chassis = 1, .routers = 2, .nodes = 1});
  CHECK(route_names(fly, 0, 1) ==
        "local_link_from_router_0_to_node_0_10_UP "
        "green_link_in_chassis_0_between_routers_0_and_1_12_UP "
        "local_link_from_router_1_to_node_0_11_DOWN");
}

TEST_CASE("every pair of a set has its own link") {
  const Dragonfly fly(cluster_spec(3 * 4 * 7),
                      {.groups = 3, .chassis = 4, .routers = 7, .nodes = 1});
  std::set<LinkId> links;
  const auto graph = fly.graph();
  for (const auto& edge : graph.edges) links.insert(edge.link);
  CHECK(links.size() == fly.link_count());
  std::set<std::string> names;
  for (LinkId id = 0; id < fly.link_count(); ++id) names.insert(fly.link_name(id));
  CHECK(names.size() == fly.link_count());
}

TEST_CASE("the size of a dragonfly does not overflow") {
  const auto size = size_of(small);
  CHECK(size.hosts == 8);
  CHECK(size.nodes == 16);
  CHECK(size.cables == 17);
  constexpr std::uint32_t big = 2'147'483'647;
  const auto huge =
      size_of(DragonflyShape{.groups = big, .chassis = big, .routers = big, .nodes = big});
  CHECK(huge.hosts == std::numeric_limits<std::uint64_t>::max());
  CHECK(huge.cables == std::numeric_limits<std::uint64_t>::max());
}
