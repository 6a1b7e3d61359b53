// SPDX-License-Identifier: BSD-3-Clause
// Nodes and sizes of a measurement between two nodes.
#include <doctest/doctest.h>

#include "sim/jobs/ping_pong_record.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using jobs::node_pair;
using jobs::perturbed;

TEST_CASE("the default is the first two nodes, inside a node the first") {
  const auto machine = tests::test_machine(4);
  CHECK(node_pair(machine, {})->to == 1);
  CHECK(node_pair(machine, {.path = "inter"})->to == 1);
  CHECK(node_pair(machine, {.path = "intra"})->inside_node());
  CHECK(node_pair(machine, {.between = "h2,3"})->from == 2);
  CHECK(node_pair(machine, {.between = "2,2", .path = "intra"})->inside_node());
}

TEST_CASE("missing nodes, and paths that they do not have, are usage errors") {
  const auto machine = tests::test_machine(4);
  for (const char* between : {"", ",", "0,", "0,1,2", "0,4", "0,-1", "x,0"}) {
    CAPTURE(between);
    const auto pair = node_pair(machine, {.between = between});
    REQUIRE_FALSE(pair);
    CHECK(pair.error().place == "--between");
    CHECK(pair.error().kind == ErrorKind::usage);
  }
  CHECK_FALSE(node_pair(machine, {.between = "1,1", .path = "inter"}));
  CHECK_FALSE(node_pair(machine, {.between = "0,1", .path = "intra"}));
  CHECK_FALSE(node_pair(tests::test_machine(1), {}));
  CHECK(node_pair(tests::test_machine(1), {.path = "intra"}));
}

TEST_CASE("perturbed sizes ascend, each once, and none is negative") {
  CHECK(perturbed({64, 1}, 0) == std::vector<Bytes>{64, 1});
  CHECK(perturbed({64, 1, 67}, 3) == std::vector<Bytes>{1, 4, 61, 64, 67, 70});
  CHECK(perturbed({3}, 3) == std::vector<Bytes>{0, 3, 6});
}

TEST_CASE("windows are an axis of streams only") {
  const auto machine = tests::test_machine(2);
  const auto points = jobs::ping_pong_points_of(
      {.patterns = {workloads::PingPongPattern::ping_pong, workloads::PingPongPattern::stream},
       .between = {},
       .paths = {"inter", "intra"},
       .windows = {1, 8, 64},
       .sizes = {1, 2}},
      machine);
  REQUIRE(points);
  CHECK(points->size() == 2 * 2 + 2 * 2 * 3);
}
