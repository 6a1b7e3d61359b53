// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/dragonfly_plus.hpp"

#include <doctest/doctest.h>

#include "tests/support/path_checks.hpp"

using namespace tutti;
using namespace tutti::platforms;
using tests::cluster_spec;
using tests::route_names;

namespace {

// Three cells of two leaves and two spines, with two links between each pair of cells, and two
// nodes per leaf.
const DragonflyPlusShape small{
    .cells = 3, .global = 2, .leaves = 2, .spines = 2, .local = 1, .nodes = {{2, 6}}};

}  // namespace

TEST_CASE("a dragonfly+ route crosses a spine of each cell, selected by the destination") {
  const DragonflyPlus fly(cluster_spec(12), small);
  CHECK(fly.kind() == "dragonfly+");
  CHECK(fly.link_count() == 2 * (12 + 3 * 2 * 2 + 3 * 2));
  CHECK(route_names(fly, 0, 1) == "c_link_node_0_UP c_link_node_1_DOWN");
  CHECK(route_names(fly, 0, 0) == "c_link_node_0_UP c_link_node_0_DOWN");
  CHECK(route_names(fly, 0, 3) ==
        "c_link_node_0_UP c_link_cell_0_leaf_0_spine_1_UP c_link_cell_0_leaf_1_spine_1_DOWN "
        "c_link_node_3_DOWN");
  CHECK(route_names(fly, 0, 10) ==
        "c_link_node_0_UP c_link_cell_0_leaf_0_spine_0_UP c_link_cells_0_2_number_0_UP "
        "c_link_cell_2_leaf_1_spine_0_DOWN c_link_node_10_DOWN");
  CHECK(route_names(fly, 11, 1) ==
        "c_link_node_11_UP c_link_cell_2_leaf_1_spine_1_UP c_link_cells_0_2_number_1_DOWN "
        "c_link_cell_0_leaf_0_spine_1_DOWN c_link_node_1_DOWN");
}

TEST_CASE("the shortest paths of a dragonfly+ use every spine or every link between cells") {
  const DragonflyPlus fly(cluster_spec(12), small);
  CHECK(fly.shortest_paths({0, 1}) == 1);
  CHECK(fly.shortest_paths({0, 3}) == 2);
  CHECK(fly.shortest_paths({0, 10}) == 2);
  CHECK(tests::names_of(fly, tests::shortest_of(fly, {0, 3}, 0)) ==
        "c_link_node_0_UP c_link_cell_0_leaf_0_spine_0_UP c_link_cell_0_leaf_1_spine_0_DOWN "
        "c_link_node_3_DOWN");
  CHECK(tests::names_of(fly, tests::shortest_of(fly, {0, 10}, 1)) ==
        "c_link_node_0_UP c_link_cell_0_leaf_0_spine_1_UP c_link_cells_0_2_number_1_UP "
        "c_link_cell_2_leaf_1_spine_1_DOWN c_link_node_10_DOWN");
}

TEST_CASE("a detour of a dragonfly+ crosses a third cell") {
  const DragonflyPlus fly(cluster_spec(12), small);
  CHECK(fly.detours({0, 3}) == 0);
  CHECK(fly.detours({0, 10}) == 2);
  CHECK(tests::names_of(fly, tests::detour_of(fly, {0, 10}, 1)) ==
        "c_link_node_0_UP c_link_cell_0_leaf_0_spine_1_UP c_link_cells_0_1_number_1_UP "
        "c_link_cells_1_2_number_1_UP c_link_cell_2_leaf_1_spine_1_DOWN c_link_node_10_DOWN");
}

TEST_CASE("a detour of a dragonfly+ changes the spine over a leaf if it must") {
  auto shape = small;  // spine 0 of cell 1 leads to cell 0, spine 1 to cell 2
  shape.global = 1;
  const DragonflyPlus fly(cluster_spec(12), shape);
  CHECK(fly.detours({0, 10}) == 1);
  CHECK(tests::names_of(fly, tests::detour_of(fly, {0, 10}, 0)) ==
        "c_link_node_0_UP c_link_cell_0_leaf_0_spine_0_UP c_link_cells_0_1_number_0_UP "
        "c_link_cell_1_leaf_1_spine_0_DOWN c_link_cell_1_leaf_1_spine_1_UP "
        "c_link_cells_1_2_number_0_UP c_link_cell_2_leaf_1_spine_1_DOWN c_link_node_10_DOWN");
}

TEST_CASE("a leaf of a dragonfly+ has the nodes of its run") {
  auto shape = small;
  shape.nodes = {{3, 2}, {0, 1}, {1, 3}};
  const DragonflyPlus fly(cluster_spec(9), shape);
  CHECK(!fly.leaf_switches());
  CHECK(route_names(fly, 3, 5) == "c_link_node_3_UP c_link_node_5_DOWN");
  CHECK(route_names(fly, 2, 6) ==
        "c_link_node_2_UP c_link_cell_0_leaf_0_spine_0_UP c_link_cells_0_1_number_0_UP "
        "c_link_cell_1_leaf_1_spine_0_DOWN c_link_node_6_DOWN");
  CHECK(route_names(fly, 8, 7).find("cell_2_leaf_1") != std::string::npos);
  CHECK(DragonflyPlus(cluster_spec(12), small).leaf_switches()->hosts == 2);
  tests::check_routes_are_walks(fly);
}

TEST_CASE("paths of a dragonfly+ are shortest walks, and detours are longer walks") {
  tests::check_paths(DragonflyPlus(cluster_spec(12), small));
  tests::check_paths(DragonflyPlus(
      cluster_spec(7 * 5 * 3),
      {.cells = 7, .global = 5, .leaves = 5, .spines = 3, .local = 2, .nodes = {{3, 35}}}));
  tests::check_paths(DragonflyPlus(
      cluster_spec(5 * 4 * 2),
      {.cells = 5, .global = 1, .leaves = 4, .spines = 4, .local = 1, .nodes = {{2, 20}}}));
}

TEST_CASE("links between cells are spread evenly over the spines") {
  for (const std::uint32_t global : {1u, 3u, 4u, 8u, 9u}) {
    const DragonflyPlus fly(
        cluster_spec(9 * 2),
        {.cells = 9, .global = global, .leaves = 2, .spines = 4, .local = 1, .nodes = {{1, 18}}});
    const auto graph = fly.graph();
    std::vector<std::uint32_t> links(9 * 4, 0);
    for (const auto& edge : graph.edges)
      if (edge.from >= 18 + 18 && edge.to >= 18 + 18) ++links[edge.from - 36];
    const auto [least, most] = std::minmax_element(links.begin(), links.end());
    CHECK(*most - *least <= 1);
    CHECK(*least == global * 8 / 4);
  }
}

TEST_CASE("the levels of a dragonfly+ have their own bandwidths and latencies") {
  auto spec = cluster_spec(12);
  spec.levels = {{1e9, 1e-6}, {2e9, 2e-6}, {3e9, 3e-6}};
  const DragonflyPlus fly(spec, small);
  std::vector<double> rates;
  for (const auto id : tests::route_of(fly, 0, 10)) rates.push_back(fly.link(id).bandwidth_Bps);
  CHECK(rates == std::vector<double>{1e9, 2e9, 3e9, 2e9, 1e9});
  CHECK(fly.end_of_equal_links(0) == 24);
  CHECK(fly.end_of_equal_links(24) == 48);
  CHECK(fly.end_of_equal_links(48) == fly.link_count());
  CHECK(fly.link(48).latency_s == 3e-6);
}

TEST_CASE("limiters of a dragonfly+ are those of the two nodes") {
  auto spec = cluster_spec(12);
  spec.limiter_Bps = 5e9;
  const DragonflyPlus fly(spec, small);
  CHECK(route_names(fly, 0, 1) ==
        "c_link_0_limiter c_link_node_0_UP c_link_node_1_DOWN c_link_1_limiter");
  CHECK(route_names(fly, 1, 1) == "c_link_1_limiter c_link_node_1_UP c_link_node_1_DOWN");
}

TEST_CASE("a dragonfly+ of Leonardo's size needs no memory per link") {
  // 23 cells of 18 spines and 18 leaves, with 18 links per pair of cells.
  const DragonflyPlus fly(cluster_spec(10 * 382 + 16 * 32), {.cells = 23,
                                                             .global = 18,
                                                             .leaves = 18,
                                                             .spines = 18,
                                                             .local = 1,
                                                             .nodes = {{10, 382}, {16, 32}}});
  const auto last = fly.host_count() - 1;
  CHECK(fly.shortest_paths({0, last}) == 18);
  CHECK(fly.detours({0, last}) == 21 * 18);
  for (std::uint64_t i = 0; i < 21 * 18; ++i)
    CHECK(tests::detour_of(fly, {0, last}, i).size() == 6);
  CHECK(size_of(DragonflyPlusShape{.cells = 4'000'000'000,
                                   .global = 4'000'000'000,
                                   .leaves = 4'000'000'000,
                                   .spines = 4'000'000'000,
                                   .nodes = {{4'000'000'000, 4'000'000'000}}})
            .cables == std::numeric_limits<std::uint64_t>::max());
}
