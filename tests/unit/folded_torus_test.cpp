// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/folded_torus.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "platforms/reader.hpp"
#include "tests/support/topology_checks.hpp"

using namespace tutti;
using namespace tutti::platforms;
using tests::cluster_spec;
using tests::route_names;
using tests::route_of;

namespace {

using Sizes = std::vector<std::uint32_t>;

HostId product(const TorusShape& shape) {
  HostId hosts = 1;
  for (const auto size : shape.dimensions) hosts *= size;
  return hosts;
}

}  // namespace

TEST_CASE("a folded dimension has an axis of 2, the rest is split evenly") {
  CHECK(folded_shape({{4, 4, 4}}, 6).dimensions == Sizes{2, 2, 2, 2, 2, 2});
  // The first axes of the second, third and first dimension, then the others of the last, ...
  CHECK(folded_shape({{8, 12, 20}}, 6).dimensions == Sizes{2, 2, 2, 10, 6, 4});
  CHECK(folded_shape({{32, 256}}, 6).dimensions == Sizes{2, 2, 8, 16, 4, 4});
  CHECK(folded_shape({{64}}, 6).dimensions == Sizes{2, 2, 2, 2, 2, 2});
  CHECK(folded_shape({{5, 4, 9}}, 6).dimensions == Sizes{2, 9, 5, 2});
  CHECK(folded_shape({{4, 4, 4, 4}}, 6).dimensions == Sizes{4, 4, 4, 4});
  CHECK(folded_shape({{4, 6}}, 1).dimensions == Sizes{6, 4});
}

TEST_CASE("neighbours in a dimension are neighbours in the network") {
  for (const TorusShape& shape : {TorusShape{{4, 4, 4}}, TorusShape{{8, 6, 12}},
                                  TorusShape{{16, 32}}, TorusShape{{48}}, TorusShape{{3, 4}}}) {
    const FoldedTorus torus(cluster_spec(product(shape)), shape, 6);
    HostId stride = 1;
    for (const auto size : shape.dimensions) {
      for (HostId host = 0; host < torus.host_count(); ++host)
        if (host / stride % size != size - 1)
          CHECK(route_of(torus, host, host + stride).size() == 1);
      stride *= size;
    }
    tests::check_routes_are_walks(torus);
  }
}

TEST_CASE("4 x 4 on four axes: the position of each host, and routes by hand") {
  // Node b + 2 a + 4 y + 8 x, with (a, x) = (0,0) (1,0) (1,1) (0,1) for a host's first coordinate 0
  // to 3, and (b, y) likewise for its second one.
  const FoldedTorus torus(cluster_spec(16), {{4, 4}}, 4);
  CHECK(torus.kind() == "folded torus");
  CHECK(torus.host_name(7) == "n7");
  CHECK(route_names(torus, 0, 1) == "c_link_from_0_to_2_UP");
  CHECK(route_names(torus, 1, 2) == "c_link_from_2_to_10_UP");
  CHECK(route_names(torus, 0, 2) == "c_link_from_0_to_2_UP c_link_from_2_to_10_UP");
  CHECK(route_names(torus, 0, 8) == "c_link_from_0_to_1_UP c_link_from_1_to_5_UP");
  CHECK(route_names(torus, 3, 4) == "c_link_from_8_to_9_UP c_link_from_1_to_9_DOWN");
}

TEST_CASE("a platform file may fold its torus") {
  setenv("TUTTI_CATALOG", TUTTI_SOURCE_DIR "/platforms/catalog", 1);
  const auto machine = load_machine("fugaku", {{"torus/dimensions", "4x4x4"}});
  REQUIRE(machine);
  CHECK(machine->topology->kind() == "folded torus");
  CHECK(machine->host_count() == 64);
  const auto plain = load_machine("crill", {{"torus/network_axes", "6"}});
  REQUIRE_FALSE(plain);
  CHECK(plain.error().message.find("not a torus") != std::string::npos);
  const auto many = load_machine("fugaku", {{"torus/network_axes", "33"}});
  REQUIRE_FALSE(many);
  CHECK(many.error().message.find("more than 32 axes") != std::string::npos);
}
