// SPDX-License-Identifier: BSD-3-Clause
// The shortest paths and detours of SimGrid's topologies.
#include <doctest/doctest.h>

#include "platforms/topologies/axis_orders.hpp"
#include "platforms/topologies/dragonfly.hpp"
#include "platforms/topologies/fat_tree.hpp"
#include "platforms/topologies/folded_torus.hpp"
#include "tests/support/path_checks.hpp"

using namespace tutti;
using namespace tutti::platforms;
using tests::cluster_spec;
using tests::names_of;
using tests::shortest_of;

TEST_CASE("a fat tree has a shortest path for each parent and parallel link") {
  const FatTree tree(cluster_spec(16), {{4, 4}, {1, 2}, {1, 2}});
  CHECK(tree.shortest_paths({0, 3}) == 1);
  CHECK(tree.shortest_paths({0, 4}) == 2 * 2 * 2);
  CHECK(names_of(tree, shortest_of(tree, {0, 4}, 0)) ==
        "link_from_0_31_0_UP link_from_31_27_16_UP link_from_30_27_20_DOWN link_from_4_30_4_DOWN");
  // Digits: parent 1, port 1 up, port 0 down.
  CHECK(names_of(tree, shortest_of(tree, {0, 4}, 3)) ==
        "link_from_0_31_0_UP link_from_31_26_19_UP link_from_30_26_22_DOWN link_from_4_30_4_DOWN");
}

TEST_CASE("paths of fat trees are shortest walks") {
  for (const FatTreeShape& shape :
       {FatTreeShape{{4, 4}, {1, 2}, {1, 2}}, FatTreeShape{{3, 2, 4}, {1, 3, 2}, {2, 1, 3}},
        FatTreeShape{{2, 3}, {2, 2}, {1, 1}}, FatTreeShape{{5}, {1}, {2}}}) {
    std::uint32_t hosts = 1;
    for (const auto down : shape.down) hosts *= down;
    tests::check_paths(FatTree(cluster_spec(hosts), shape), {.pairs = 3000});
  }
}

TEST_CASE("a shortest path of a fat tree has the limiters of a route") {
  auto spec = cluster_spec(16);
  spec.limiter_Bps = 5e9;
  const FatTree tree(spec, {{4, 4}, {1, 1}, {1, 1}});
  CHECK(shortest_of(tree, {0, 7}, 0) == tests::route_of(tree, 0, 7));
  CHECK(shortest_of(tree, {0, 1}, 0) == tests::route_of(tree, 0, 1));
}

TEST_CASE("levels of a fat tree have their own bandwidths") {
  auto spec = cluster_spec(16);
  spec.levels = {{1e9, 1e-6}, {4e9, 2e-6}};
  const FatTree tree(spec, {{4, 4}, {1, 2}, {1, 2}});
  CHECK(tree.link(0).bandwidth_Bps == 1e9);
  CHECK(tree.link(31).bandwidth_Bps == 1e9);
  CHECK(tree.link(32).bandwidth_Bps == 4e9);
  CHECK(tree.end_of_equal_links(0) == 32);
  CHECK(tree.end_of_equal_links(32) == tree.link_count());
}

TEST_CASE("a torus has shortest paths for all orders and both directions of a tie") {
  const Torus torus(cluster_spec(12), {.dimensions = {4, 3}});  // node = x + 4 * y
  CHECK(torus.shortest_paths({0, 1}) == 1);
  CHECK(torus.shortest_paths({0, 2}) == 2);
  CHECK(torus.shortest_paths({0, 6}) == 4);
  CHECK(shortest_of(torus, {0, 6}, 0) == tests::route_of(torus, 0, 6));
  CHECK(names_of(torus, shortest_of(torus, {0, 6}, 1)) ==
        "c_link_from_3_to_0_DOWN c_link_from_2_to_3_DOWN c_link_from_2_to_6_UP");
  CHECK(names_of(torus, shortest_of(torus, {0, 6}, 2)) ==
        "c_link_from_0_to_4_UP c_link_from_4_to_5_UP c_link_from_5_to_6_UP");
}

TEST_CASE("paths of tori are shortest walks") {
  for (const TorusShape& shape :
       {TorusShape{{5, 4, 3}}, TorusShape{{2, 2, 2, 2, 2}}, TorusShape{{8}}, TorusShape{{1, 6, 2}},
        TorusShape{{2, 2, 2, 2, 3, 2, 2}}}) {
    std::uint32_t hosts = 1;
    for (const auto size : shape.dimensions) hosts *= size;
    tests::check_paths(Torus(cluster_spec(hosts), shape), {.pairs = 2000, .most_paths = 20});
  }
  const FoldedTorus folded(cluster_spec(64), {{4, 4, 4}}, 6);
  tests::check_paths(folded, {.pairs = 2000});
  CHECK(shortest_of(folded, {0, 63}, 0) == tests::route_of(folded, 0, 63));
}

TEST_CASE("a dragonfly has one shortest path, and a detour over each other group") {
  const Dragonfly fly(cluster_spec(4 * 2 * 5 * 2),
                      {.groups = 4, .chassis = 2, .routers = 5, .nodes = 2});
  CHECK(fly.shortest_paths({0, 79}) == 1);
  CHECK(fly.detours({0, 79}) == 2);
  CHECK(fly.detours({0, 19}) == 0);
  const tests::Walks walks(fly);
  for (HostId from = 0; from < 80; ++from)
    for (HostId to = 0; to < 80; ++to)
      for (std::uint64_t i = 0; from / 20 != to / 20 && i < 2; ++i) {
        const auto links = tests::detour_of(fly, {from, to}, i);
        walks.check(from, to, links);
        CHECK(std::ranges::count_if(
                  links, [&](LinkId id) { return fly.link_name(id).starts_with("blue"); }) == 2);
      }
}

TEST_CASE("orders of axes are all different") {
  for (const std::size_t axes : {1, 2, 3, 5, 6, 7, 9}) {
    std::set<std::vector<std::size_t>> found;
    for (std::uint32_t number = 0; number < order_count(axes); ++number) {
      std::vector<std::size_t> order(axes);
      std::iota(order.begin(), order.end(), std::size_t{0});
      const auto first = order;
      arrange(std::span(order), number);
      if (number == 0) CHECK(order == first);
      CHECK(found.insert(order).second);
    }
    CHECK(found.size() == order_count(axes));
  }
  CHECK(order_count(6) == 720);
  CHECK(order_count(7) == 7);
}
