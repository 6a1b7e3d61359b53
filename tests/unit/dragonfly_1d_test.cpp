// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/dragonfly_1d.hpp"

#include <doctest/doctest.h>

#include "tests/support/path_checks.hpp"

using namespace tutti;
using namespace tutti::platforms;
using tests::cluster_spec;
using tests::route_names;

namespace {

// Three groups of three switches with one node each, and one link between each pair of groups:
// those of group 0 end at switch 0 (group 1) and 1 (group 2), those of group 1 at switch 0 (group
// 0) and 1 (group 2), those of group 2 at switch 0 (group 0) and 1 (group 1).
const Dragonfly1dShape small{
    .groups = 3, .global = 1, .switches = 3, .local = 1, .nodes = {{1, 9}}};

std::string shortest_names(const Topology& topology, const RouteEnds& ends, std::uint32_t number) {
  return tests::names_of(topology, tests::shortest_of(topology, ends, number));
}

}  // namespace

TEST_CASE("a 1D dragonfly uses the link between the groups, and local links where it must") {
  const Dragonfly1d fly(cluster_spec(9), small);
  CHECK(fly.kind() == "1D dragonfly");
  CHECK(fly.link_count() == 2 * (9 + 3 * 3 + 3));
  CHECK(route_names(fly, 4, 4) == "c_link_node_4_UP c_link_node_4_DOWN");
  CHECK(route_names(fly, 0, 2) ==
        "c_link_node_0_UP c_link_group_0_switches_0_2_UP c_link_node_2_DOWN");
  CHECK(route_names(fly, 0, 3) ==
        "c_link_node_0_UP c_link_groups_0_1_number_0_UP c_link_node_3_DOWN");
  CHECK(route_names(fly, 0, 5) ==
        "c_link_node_0_UP c_link_groups_0_1_number_0_UP c_link_group_1_switches_0_2_UP "
        "c_link_node_5_DOWN");
  CHECK(route_names(fly, 8, 2) ==
        "c_link_node_8_UP c_link_group_2_switches_0_2_DOWN c_link_groups_0_2_number_0_DOWN "
        "c_link_group_0_switches_1_2_UP c_link_node_2_DOWN");
}

TEST_CASE("the shortest paths of a 1D dragonfly use the links with the fewest local ones") {
  auto shape = small;  // link k of a pair ends at switch k in both groups
  shape.global = 3;
  const Dragonfly1d fly(cluster_spec(9), shape);
  CHECK(fly.shortest_paths({0, 3}) == 1);
  CHECK(shortest_names(fly, {0, 3}, 0) ==
        "c_link_node_0_UP c_link_groups_0_1_number_0_UP c_link_node_3_DOWN");
  CHECK(fly.shortest_paths({0, 5}) == 2);
  CHECK(shortest_names(fly, {0, 5}, 0) ==
        "c_link_node_0_UP c_link_groups_0_1_number_0_UP c_link_group_1_switches_0_2_UP "
        "c_link_node_5_DOWN");
  CHECK(shortest_names(fly, {0, 5}, 1) ==
        "c_link_node_0_UP c_link_group_0_switches_0_2_UP c_link_groups_0_1_number_2_UP "
        "c_link_node_5_DOWN");
  CHECK(fly.shortest_paths({0, 2}) == 1);
  shape.local = 2;
  const Dragonfly1d doubled(cluster_spec(9), shape);
  CHECK(doubled.shortest_paths({0, 2}) == 2);
  CHECK(doubled.shortest_paths({0, 5}) == 4);
  CHECK(shortest_names(doubled, {0, 2}, 1) ==
        "c_link_node_0_UP c_link_group_0_switches_0_2_port_1_UP c_link_node_2_DOWN");
}

TEST_CASE("detours of a 1D dragonfly cross a third group, or a third switch inside a group") {
  const Dragonfly1d fly(cluster_spec(9), small);
  CHECK(fly.detours({0, 2}) == 1);
  CHECK(tests::names_of(fly, tests::detour_of(fly, {0, 2}, 0)) ==
        "c_link_node_0_UP c_link_group_0_switches_0_1_UP c_link_group_0_switches_1_2_UP "
        "c_link_node_2_DOWN");
  CHECK(fly.detours({0, 5}) == 1);
  CHECK(tests::names_of(fly, tests::detour_of(fly, {0, 5}, 0)) ==
        "c_link_node_0_UP c_link_group_0_switches_0_1_UP c_link_groups_0_2_number_0_UP "
        "c_link_group_2_switches_0_1_UP c_link_groups_1_2_number_0_DOWN "
        "c_link_group_1_switches_1_2_UP c_link_node_5_DOWN");
}

TEST_CASE("paths of a 1D dragonfly are walks, and detours are other walks") {
  for (const auto& shape :
       {small, Dragonfly1dShape{6, 5, 4, 2, {{2, 24}}}, Dragonfly1dShape{9, 1, 4, 1, {{1, 36}}},
        Dragonfly1dShape{4, 7, 3, 1, {{3, 4}, {0, 2}, {1, 6}}},
        Dragonfly1dShape{1, 1, 6, 1, {{2, 6}}}, Dragonfly1dShape{5, 2, 1, 1, {{4, 5}}}}) {
    const Dragonfly1d fly(cluster_spec(static_cast<std::uint32_t>(hosts_of(shape.nodes))), shape);
    tests::check_routes_are_walks(fly);
    tests::check_paths(fly, {.pairs = 3000, .shortest_in_graph = false});
  }
}

// A graph of two groups has no other path between them.
TEST_CASE("with two groups, the paths of a 1D dragonfly are those with the fewest links") {
  for (const std::uint32_t global : {1u, 2u, 4u, 5u, 11u})
    tests::check_paths(Dragonfly1d(cluster_spec(2 * 4 * 2), {2, global, 4, 1, {{2, 8}}}),
                       {.pairs = 2000});
}

TEST_CASE("a 1D dragonfly of 262,144 hosts needs no memory per link") {
  const Dragonfly1d fly(cluster_spec(262'144), {256, 8, 64, 1, {{16, 256 * 64}}});
  CHECK(fly.leaf_switches()->hosts == 16);
  CHECK(route_names(fly, 0, 262'143).starts_with("c_link_node_0_UP "));
  CHECK(fly.detours({0, 262'143}) == 254 * 8);
}
