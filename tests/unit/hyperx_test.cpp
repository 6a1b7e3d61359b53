// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/hyperx.hpp"

#include <doctest/doctest.h>

#include "tests/support/path_checks.hpp"

using namespace tutti;
using namespace tutti::platforms;
using tests::cluster_spec;
using tests::route_names;

namespace {

// Switches 0, 1, 2 and 3, 4, 5 in rows, with one node each; two parallel links between the rows.
const HyperXShape small{.sizes = {3, 2}, .links = {1, 2}, .nodes = {{1, 6}}};

}  // namespace

TEST_CASE("a HyperX changes one dimension after the other") {
  const HyperX net(cluster_spec(6), small);
  CHECK(net.kind() == "HyperX");
  CHECK(net.link_count() == 2 * (6 + 2 * 3 + 3 * 1 * 2));
  CHECK(route_names(net, 0, 2) == "c_link_node_0_UP c_link_switches_0_2_UP c_link_node_2_DOWN");
  CHECK(route_names(net, 0, 5) ==
        "c_link_node_0_UP c_link_switches_0_2_UP c_link_switches_2_5_number_1_UP "
        "c_link_node_5_DOWN");
  CHECK(route_names(net, 4, 0) ==
        "c_link_node_4_UP c_link_switches_3_4_DOWN c_link_switches_0_3_number_0_DOWN "
        "c_link_node_0_DOWN");
}

TEST_CASE("the shortest paths of a HyperX are all orders and parallel links") {
  const HyperX net(cluster_spec(6), small);
  CHECK(net.shortest_paths({0, 2}) == 1);
  CHECK(net.shortest_paths({0, 3}) == 2);
  CHECK(net.shortest_paths({0, 5}) == 4);
  CHECK(tests::names_of(net, tests::shortest_of(net, {0, 5}, 2)) ==
        "c_link_node_0_UP c_link_switches_0_3_number_0_UP c_link_switches_3_5_UP "
        "c_link_node_5_DOWN");
  const HyperX cube(
      cluster_spec(64),
      {std::vector<std::uint32_t>(6, 2), std::vector<std::uint32_t>(6, 1), {{1, 64}}});
  CHECK(cube.shortest_paths({0, 63}) == 720);
}

TEST_CASE("a detour of a HyperX changes the switch once more in one dimension") {
  const HyperX net(cluster_spec(6), small);
  CHECK(net.detours({0, 3}) == 0);
  CHECK(net.detours({0, 5}) == 1);
  CHECK(tests::names_of(net, tests::detour_of(net, {0, 5}, 0)) ==
        "c_link_node_0_UP c_link_switches_0_1_UP c_link_switches_1_2_UP "
        "c_link_switches_2_5_number_0_UP c_link_node_5_DOWN");
}

TEST_CASE("paths of a HyperX are shortest walks, and detours are longer walks") {
  for (const auto& shape :
       {small, HyperXShape{{4, 3, 2}, {1, 2, 3}, {{2, 24}}}, HyperXShape{{12}, {1}, {{3, 12}}},
        HyperXShape{{3, 1, 5}, {1, 1, 1}, {{0, 5}, {4, 7}, {1, 3}}},
        HyperXShape{
            std::vector<std::uint32_t>(7, 2), std::vector<std::uint32_t>(7, 1), {{1, 128}}}}) {
    const HyperX net(cluster_spec(static_cast<std::uint32_t>(hosts_of(shape.nodes))), shape);
    tests::check_routes_are_walks(net);
    tests::check_paths(net, {.pairs = 2000});
  }
}

TEST_CASE("a HyperX of 262,144 hosts has one link per dimension in which switches differ") {
  auto spec = cluster_spec(262'144);
  spec.levels = {{1e9, 1e-6}, {2e9, 2e-6}, {3e9, 3e-6}, {4e9, 4e-6}};
  const HyperX net(spec, {{32, 32, 16}, {1, 1, 2}, {{16, 16'384}}});
  const auto route = tests::route_of(net, 0, 262'143);
  REQUIRE(route.size() == 5);
  for (std::size_t i = 1; i < 4; ++i)
    CHECK(net.link(route[i]).bandwidth_Bps == 1e9 * static_cast<double>(i + 1));
  CHECK(net.shortest_paths({0, 262'143}) == 12);
  CHECK(net.detours({0, 262'143}) == 30 + 30 + 14);
}
