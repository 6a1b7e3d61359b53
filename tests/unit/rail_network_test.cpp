// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/rail_network.hpp"

#include <doctest/doctest.h>

#include "platforms/topologies/fat_tree.hpp"
#include "tests/support/path_checks.hpp"

using namespace tutti;
using namespace tutti::platforms;
using tests::cluster_spec;
using tests::names_of;

namespace {

// Leaf switches of `leaf` hosts under two top switches.
std::shared_ptr<const Topology> tree_of(std::uint32_t leaf, std::uint32_t leaves) {
  return std::make_shared<FatTree>(cluster_spec(leaf * leaves),
                                   FatTreeShape{{leaf, leaves}, {1, 2}, {1, 1}});
}

RailNetwork rails_of(std::shared_ptr<const Topology> network, std::uint32_t nodes,
                     const RailSpec& spec) {
  return {std::move(network), spec, HostNames("n", "", {{0, nodes}})};
}

std::string between(const Topology& topology, const RouteEnds& ends) {
  std::vector<LinkId> links;
  topology.rail_route(ends, links);
  return names_of(topology, links);
}

}  // namespace

TEST_CASE("planes are separate copies of the network") {
  const auto tree = tree_of(2, 2);
  const auto rails = rails_of(tree, 4, {.rails = 2, .order = RailOrder::planes});
  CHECK(rails.kind() == "fat tree with 2 rails (planes)");
  CHECK(rails.rails() == 2);
  CHECK(rails.host_count() == 4);
  CHECK(rails.link_count() == 2 * tree->link_count());
  CHECK(between(rails, {0, 1, 1, 1}) == "link_from_0_7_0_UP_plane_1 link_from_1_7_1_DOWN_plane_1");
  CHECK(between(rails, {0, 1, 0, 1}) == "link_from_0_7_0_UP_plane_0 link_from_1_7_1_DOWN_plane_0");
  CHECK(tests::route_of(rails, 0, 3) == tests::route_of(*tree, 0, 3));
  CHECK(rails.shortest_paths({0, 3, 1, 1}) == 2);
  CHECK(rails.graph().switches.size() == 2 * 4);
  CHECK(rails.graph().switches[4] == "c_switch_1_0_plane_1");
}

TEST_CASE("with rail order 'leaves', NICs of a rail have their own leaf switches") {
  // Nodes 0 and 1, then 2 and 3: a leaf switch for each rail.
  const auto rails =
      rails_of(tree_of(2, 4), 4, {.rails = 2, .order = RailOrder::leaves, .per_leaf = 2});
  for (const std::uint32_t rail : {0u, 1u}) {
    std::vector<LinkId> near, far;
    rails.rail_route({0, 1, rail, rail}, near);
    rails.rail_route({0, 2, rail, rail}, far);
    CHECK(near.size() == 2);
    CHECK(far.size() == 4);
  }
  std::vector<LinkId> other;
  rails.rail_route({0, 1, 0, 1}, other);
  CHECK(other.size() == 4);
}

TEST_CASE("with rail order 'node', the NICs of a node are neighbors") {
  const auto rails = rails_of(tree_of(4, 2), 4, {.rails = 2, .order = RailOrder::node});
  CHECK(between(rails, {0, 1, 0, 1}) == "link_from_0_15_0_UP link_from_3_15_3_DOWN");
  CHECK(tests::route_of(rails, 0, 2).size() == 4);
}

TEST_CASE("paths of rails are shortest walks in each plane, or over the network") {
  tests::check_paths(rails_of(tree_of(4, 4), 16, {.rails = 3, .order = RailOrder::planes}),
                     {.pairs = 2000});
  // Breadth-first search may use another NIC of the node.
  const tests::PathChecks other_nics{.pairs = 2000, .shortest_in_graph = false};
  tests::check_paths(
      rails_of(tree_of(4, 4), 8, {.rails = 2, .order = RailOrder::leaves, .per_leaf = 4}),
      other_nics);
  tests::check_paths(rails_of(tree_of(4, 4), 8, {.rails = 2, .order = RailOrder::node}),
                     other_nics);
}
