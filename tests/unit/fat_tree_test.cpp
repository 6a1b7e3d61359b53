// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/fat_tree.hpp"

#include <doctest/doctest.h>

#include "tests/support/topology_checks.hpp"

using namespace tutti;
using namespace tutti::platforms;
using tests::cluster_spec;
using tests::route_names;

TEST_CASE("in a fat tree the destination determines the way up") {
  // Two switches of two hosts (numbers 7, 6), two roots (5, 4), single links.
  const FatTree tree(cluster_spec(4), {.down = {2, 2}, .up = {1, 2}, .ports = {1, 1}});
  CHECK(tree.kind() == "fat tree");
  CHECK(tree.link_count() == 2 * (4 + 4));
  CHECK(route_names(tree, 0, 1) == "link_from_0_7_0_UP link_from_1_7_1_DOWN");
  CHECK(route_names(tree, 0, 2) ==
        "link_from_0_7_0_UP link_from_7_5_4_UP link_from_6_5_6_DOWN link_from_2_6_2_DOWN");
  CHECK(route_names(tree, 1, 2) ==
        "link_from_1_7_1_UP link_from_7_5_4_UP link_from_6_5_6_DOWN link_from_2_6_2_DOWN");
  CHECK(route_names(tree, 0, 3) ==
        "link_from_0_7_0_UP link_from_7_4_5_UP link_from_6_4_7_DOWN link_from_3_6_3_DOWN");
  CHECK(route_names(tree, 3, 3) == "link_from_3_6_3_UP link_from_3_6_3_DOWN");
}

TEST_CASE("of parallel links the destination chooses on the way up, the source on the way down") {
  const FatTree tree(cluster_spec(4), {.down = {2, 2}, .up = {1, 1}, .ports = {1, 2}});
  // Links 4 and 5 go up from the first switch, 6 and 7 from the second.
  CHECK(route_names(tree, 0, 2) ==
        "link_from_0_7_0_UP link_from_7_5_4_UP link_from_6_5_6_DOWN link_from_2_6_2_DOWN");
  CHECK(route_names(tree, 1, 3) ==
        "link_from_1_7_1_UP link_from_7_5_5_UP link_from_6_5_7_DOWN link_from_3_6_3_DOWN");
  CHECK(route_names(tree, 0, 3) ==
        "link_from_0_7_0_UP link_from_7_5_5_UP link_from_6_5_6_DOWN link_from_3_6_3_DOWN");
}

TEST_CASE("limiters of a fat tree precede links up, follow links down and are at the end") {
  auto spec = cluster_spec(4);
  spec.limiter_Bps = 5e9;
  spec.sharing = NicSharing::shared;
  const FatTree tree(spec, {.down = {2, 2}, .up = {1, 1}, .ports = {1, 1}});
  CHECK(tree.link_count() == 6 + 7);
  CHECK(route_names(tree, 0, 2) ==
        "c_link_0_limiter link_from_0_7_0 c_link_7_limiter link_from_7_5_4 link_from_6_5_5 "
        "c_link_5_limiter link_from_2_6_2 c_link_6_limiter c_link_2_limiter");
  CHECK(tree.link(6).bandwidth_Bps == 5e9);
  CHECK(tree.link(6).latency_s == 0);
  CHECK(tree.link(0).bandwidth_Bps == 1e9);
}

TEST_CASE("a fat tree continues the numbers of the fat trees before it in the file") {
  auto spec = cluster_spec(4);
  const FatTreeShape shape{.down = {2, 2}, .up = {1, 2}, .ports = {1, 1}};
  CHECK(route_names(FatTree(spec, shape), 0, 2) ==
        "link_from_0_7_0_UP link_from_7_5_4_UP link_from_6_5_6_DOWN link_from_2_6_2_DOWN");
  spec.before = {.hosts = 1, .cables = 10};  // now host 2 is odd
  CHECK(route_names(FatTree(spec, shape), 0, 2) ==
        "link_from_0_7_10_UP link_from_7_4_15_UP link_from_6_4_17_DOWN link_from_2_6_12_DOWN");
}

TEST_CASE("a fat tree draws its switches and every link") {
  const FatTree tree(cluster_spec(4), {.down = {2, 2}, .up = {1, 2}, .ports = {1, 2}});
  const auto graph = tree.graph();
  CHECK(graph.switches ==
        std::vector<std::string>{"c_switch_1_0", "c_switch_1_1", "c_switch_2_0", "c_switch_2_1"});
  CHECK(graph.edges.size() == tree.link_count());
  tests::check_routes_are_walks(tree);
}

TEST_CASE("routes of larger fat trees are walks along the links, up and then down") {
  for (const FatTreeShape& shape :
       {FatTreeShape{{3, 4, 2}, {2, 3, 4}, {1, 2, 3}},
        FatTreeShape{{2, 2, 2, 2}, {1, 2, 1, 2}, {1, 1, 1, 1}},
        FatTreeShape{{1, 5}, {4, 1}, {3, 1}}, FatTreeShape{{24}, {1}, {1}}}) {
    std::uint32_t hosts = 1;
    for (const auto down : shape.down) hosts *= down;
    tests::check_routes_are_walks(FatTree(cluster_spec(hosts), shape));
  }
}

TEST_CASE("the size of a fat tree counts hosts, switches and links, also beyond 64 bits") {
  const auto size = size_of(FatTreeShape{{4, 4}, {1, 2}, {1, 2}});
  CHECK(size.hosts == 16);
  CHECK(size.nodes == 16 + 4 + 2);
  CHECK(size.cables == 16 + 4 * 2 * 2);
  constexpr std::uint32_t big = 2'147'483'647;
  CHECK(size_of(FatTreeShape{{big, big, big}, {1, 1, 1}, {1, 1, 1}}).hosts ==
        std::numeric_limits<std::uint64_t>::max());
  CHECK(size_of(FatTreeShape{{1, 1, 1}, {big, big, big}, {1, 1, 1}}).cables ==
        std::numeric_limits<std::uint64_t>::max());
}
