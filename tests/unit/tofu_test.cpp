// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/tofu.hpp"

#include <doctest/doctest.h>

#include "tests/support/path_checks.hpp"

using namespace tutti;
using namespace tutti::platforms;
using tests::cluster_spec;
using tests::route_names;

namespace {

Tofu tofu_of(std::array<std::uint32_t, tofu_axes> axes, std::vector<std::uint32_t> job = {}) {
  const TofuShape shape{axes, std::move(job)};
  return {cluster_spec(static_cast<std::uint32_t>(size_of(shape).hosts)), shape};
}

}  // namespace

TEST_CASE("Tofu routes traverse B, C, A before Z, Y, X") {
  const Tofu tofu = tofu_of({3, 2, 1, 2, 3, 2});
  CHECK(tofu.kind() == "Tofu");
  CHECK(tofu.host_count() == 72);
  // X, Y and B are rings, A and C have one link per pair, Z is of one node.
  CHECK(tofu.link_count() == 2 * (72 + 72 + 36 + 72 + 36));
  CHECK(route_names(tofu, 0, 1) == "c_link_X_from_0_to_1_UP");
  CHECK(route_names(tofu, 0, 2) == "c_link_X_from_2_to_0_DOWN");
  CHECK(route_names(tofu, 3, 0) == "c_link_Y_from_3_to_0_UP");
  CHECK(route_names(tofu, 6, 0) == "c_link_A_from_0_to_6_DOWN");
  // x 1, y 1, a 1, b 2, c 1.
  CHECK(route_names(tofu, 0, 1 + 3 + 6 + 24 + 36) ==
        "c_link_B_from_24_to_0_DOWN c_link_C_from_24_to_60_UP c_link_A_from_60_to_66_UP "
        "c_link_Y_from_66_to_69_UP c_link_X_from_69_to_70_UP");
  CHECK(route_names(tofu, 5, 5) == "c_link_B_from_5_to_17_UP c_link_B_from_5_to_17_DOWN");
}

TEST_CASE("a message between units of Tofu has 12 paths: A, B and C before or after X, Y and Z") {
  const Tofu tofu = tofu_of({3, 2, 1, 2, 3, 2});  // node = x + 3 y + 6 a + 12 b + 36 c
  const RouteEnds ends{0, 1 + 6};
  CHECK(tofu.shortest_paths(ends) == 2);
  CHECK(tests::names_of(tofu, tests::shortest_of(tofu, ends, 0)) ==
        "c_link_A_from_0_to_6_UP c_link_X_from_6_to_7_UP");
  CHECK(tests::names_of(tofu, tests::shortest_of(tofu, ends, 1)) ==
        "c_link_X_from_0_to_1_UP c_link_A_from_1_to_7_UP");
  CHECK(tofu.detours(ends) == 10);
  CHECK(tests::names_of(tofu, tests::detour_of(tofu, ends, 0)) ==
        "c_link_B_from_0_to_12_UP c_link_X_from_12_to_13_UP c_link_B_from_1_to_13_DOWN "
        "c_link_A_from_1_to_7_UP");
  // The last position is a 1, b 2, c 1.
  CHECK(tests::names_of(tofu, tests::detour_of(tofu, ends, 9)) ==
        "c_link_B_from_24_to_0_DOWN c_link_C_from_24_to_60_UP c_link_A_from_60_to_66_UP "
        "c_link_X_from_66_to_67_UP c_link_B_from_67_to_43_UP c_link_C_from_7_to_43_DOWN");
  // All of A, B and C differ, and X is halfway between both: 8 turns in 2 directions.
  const Tofu even = tofu_of({2, 1, 1, 2, 3, 2});
  CHECK(even.shortest_paths({0, 23}) == 16);
  CHECK(even.detours({0, 23}) == 4);
}

TEST_CASE("inside a unit of Tofu, shortest paths change direction at most once, without detours") {
  const Tofu tofu = tofu_of({3, 2, 1, 2, 3, 2});
  const auto paths = [&](HostId to) { return tofu.shortest_paths({0, to}); };
  CHECK(paths(6) == 1);
  CHECK(paths(6 + 36) == 2);
  CHECK(paths(6 + 12 + 36) == 5);
  CHECK(tests::names_of(tofu, tests::shortest_of(tofu, {0, 42}, 0)) ==
        "c_link_C_from_0_to_36_UP c_link_A_from_36_to_42_UP");
  CHECK(tests::names_of(tofu, tests::shortest_of(tofu, {0, 42}, 1)) ==
        "c_link_A_from_0_to_6_UP c_link_C_from_6_to_42_UP");
  CHECK(tofu.detours({0, 42}) == 0);
}

TEST_CASE("the shortest paths of Tofu have both directions of a tie") {
  const Tofu tofu = tofu_of({4, 2, 1, 2, 3, 2});
  CHECK(tofu.shortest_paths({0, 1}) == 1);
  CHECK(tofu.shortest_paths({0, 2}) == 2);      // halfway around X
  CHECK(tofu.shortest_paths({0, 4}) == 2);      // both links of Y
  CHECK(tofu.shortest_paths({0, 8}) == 1);      // the link of A
  CHECK(tofu.shortest_paths({0, 2 + 8}) == 4);  // X and A
  CHECK(tests::names_of(tofu, tests::shortest_of(tofu, {0, 10}, 3)) ==
        "c_link_X_from_3_to_0_DOWN c_link_X_from_2_to_3_DOWN c_link_A_from_2_to_10_UP");
}

TEST_CASE("paths of Tofu are shortest walks") {
  for (const auto& tofu :
       {tofu_of({3, 2, 2, 2, 3, 2}), tofu_of({1, 1, 1, 2, 3, 2}), tofu_of({4, 1, 3, 2, 3, 2}),
        tofu_of({2, 3, 2, 2, 3, 2}, {4, 9, 4}), tofu_of({2, 3, 2, 2, 3, 2}, {144})}) {
    tests::check_routes_are_walks(tofu);
    tests::check_paths(tofu);
  }
}

TEST_CASE("neighbors in a logical torus of Tofu are neighbors in the network") {
  const std::array<std::uint32_t, tofu_axes> axes{4, 3, 2, 2, 3, 2};
  for (const std::vector<std::uint32_t>& job :
       {std::vector<std::uint32_t>{8, 9, 4}, {9, 8, 4}, {72, 4}, {36, 8}, {288}, {2, 48, 3}}) {
    const Tofu tofu = tofu_of(axes, job);
    std::uint32_t stride = 1;
    std::set<std::string> nodes;
    for (const auto size : job) {
      for (HostId host = 0; host < tofu.host_count(); ++host) {
        const auto at = host / stride % size;
        const auto next = at + 1 < size ? host + stride : host - at * stride;
        // Only dimensions with an even axis close to a ring.
        if (at + 1 < size || size % 2 == 0) CHECK(tests::route_of(tofu, host, next).size() == 1);
      }
      stride *= size;
    }
    CHECK(stride == tofu.host_count());
  }
  CHECK(tofu_of(axes, {8, 9, 4}).parameters() == " as 8x9x4");
}

TEST_CASE("a logical torus must be a product of axes") {
  CHECK(!embedding_of({{4, 3, 2, 2, 3, 2}, {16, 18}}) == false);
  CHECK(!embedding_of({{4, 3, 2, 2, 3, 2}, {5, 2}}));
  CHECK(!embedding_of({{4, 3, 2, 2, 3, 2}, {8, 9, 2}}));
  CHECK(!embedding_of({{4, 3, 2, 2, 3, 2}, {}}));
}

TEST_CASE("the farthest nodes of Tofu are halfway around every axis") {
  const Tofu tofu = tofu_of({4, 6, 2, 2, 3, 2}, {8, 18, 4});
  const auto [from, to] = *tofu.farthest_hosts();
  CHECK(tests::route_of(tofu, from, to).size() == 2 + 3 + 1 + 1 + 1 + 1);
}

TEST_CASE("Fugaku's network of 158,976 nodes needs no memory per link") {
  const Tofu fugaku = tofu_of({24, 23, 24, 2, 3, 2}, {48, 69, 48});
  CHECK(fugaku.link_count() == 2 * 158'976 * 5);
  CHECK(tests::route_of(fugaku, 0, 1).size() == 1);
}
