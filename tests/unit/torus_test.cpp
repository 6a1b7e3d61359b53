// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/torus.hpp"

#include <doctest/doctest.h>

#include "tests/support/topology_checks.hpp"

using namespace tutti;
using namespace tutti::platforms;
using tests::cluster_spec;
using tests::route_names;

TEST_CASE("a torus traverses its dimensions in order, each in the shorter direction") {
  const Torus torus(cluster_spec(12), {.dimensions = {4, 3}});  // node = x + 4 * y
  CHECK(torus.kind() == "torus");
  CHECK(torus.link_count() == 12 * 2 * 2);
  CHECK(route_names(torus, 0, 5) == "c_link_from_0_to_1_UP c_link_from_1_to_5_UP");
  CHECK(route_names(torus, 0, 3) == "c_link_from_3_to_0_DOWN");
  CHECK(route_names(torus, 3, 0) == "c_link_from_3_to_0_UP");
  CHECK(route_names(torus, 0, 8) == "c_link_from_8_to_0_DOWN");
  CHECK(route_names(torus, 5, 11) ==
        "c_link_from_5_to_6_UP c_link_from_6_to_7_UP c_link_from_7_to_11_UP");
}

TEST_CASE("half of a ring is traversed forward, except from the middle to the begin") {
  const Torus ring(cluster_spec(4), {.dimensions = {4}});
  CHECK(route_names(ring, 0, 2) == "c_link_from_0_to_1_UP c_link_from_1_to_2_UP");
  CHECK(route_names(ring, 1, 3) == "c_link_from_1_to_2_UP c_link_from_2_to_3_UP");
  CHECK(route_names(ring, 2, 0) == "c_link_from_1_to_2_DOWN c_link_from_0_to_1_DOWN");
  CHECK(route_names(ring, 3, 1) == "c_link_from_3_to_0_UP c_link_from_0_to_1_UP");
}

TEST_CASE("a torus has a limiter before every hop and at the end") {
  auto spec = cluster_spec(6);
  spec.limiter_Bps = 5e9;
  const Torus torus(spec, {.dimensions = {3, 2}});
  CHECK(route_names(torus, 0, 4) ==
        "c_link_0_limiter c_link_from_0_to_1_UP c_link_1_limiter c_link_from_1_to_4_UP "
        "c_link_4_limiter");
  CHECK(route_names(torus, 2, 2) == "c_link_2_limiter");
}

TEST_CASE("inside a node of a torus the route is its first link out and back") {
  auto spec = cluster_spec(4);
  const TorusShape shape{.dimensions = {1, 4}};
  CHECK(route_names(Torus(spec, shape), 1, 1) == "c_link_from_1_to_2_UP c_link_from_1_to_2_DOWN");
  spec.sharing = NicSharing::shared;
  CHECK(route_names(Torus(spec, shape), 1, 1) == "c_link_from_1_to_2");
  CHECK(route_names(Torus(cluster_spec(1), {.dimensions = {1}}), 0, 0) ==
        "c_link_from_0_to_0_UP c_link_from_0_to_0_DOWN");
}

TEST_CASE("routes of tori are walks along the links") {
  for (const TorusShape& shape :
       {TorusShape{{5, 4, 3}}, TorusShape{{2, 2, 2, 2, 2}}, TorusShape{{7}}, TorusShape{{1, 6, 2}},
        TorusShape{{1, 1, 3, 1}}}) {
    std::uint32_t hosts = 1;
    for (const auto size : shape.dimensions) hosts *= size;
    const Torus torus(cluster_spec(hosts), shape);
    CHECK(torus.graph().switches.empty());
    tests::check_routes_are_walks(torus);
  }
}

TEST_CASE("the size of a torus does not overflow") {
  const auto size = size_of(TorusShape{{4, 3, 2}});
  CHECK(size.hosts == 24);
  CHECK(size.cables == 72);
  CHECK(size_of(TorusShape{{1'000'000, 1'000'000}}).hosts == 1'000'000'000'000);
  CHECK(size_of(TorusShape{std::vector<std::uint32_t>(32, 1'000'000)}).cables ==
        std::numeric_limits<std::uint64_t>::max());
}
