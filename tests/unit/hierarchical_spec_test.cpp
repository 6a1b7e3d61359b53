// SPDX-License-Identifier: BSD-3-Clause
// The groups of hierarchical algorithms: nodes, sockets, consecutive ranks.
#include "workloads/hierarchical_spec.hpp"

#include <doctest/doctest.h>

#include "tests/support/test_machine.hpp"

using namespace tutti;

namespace {

const algorithms::Algorithm& bcast() {
  return *algorithms::find_algorithm("bcast", workloads::hierarchical_name);
}

platforms::Placement placed(const platforms::Machine& machine, int procs,
                            platforms::MapPolicy policy = platforms::MapPolicy::block) {
  auto placement = platforms::place(machine, {.procs = procs, .policy = policy});
  REQUIRE(placement);
  return *std::move(placement);
}

std::vector<std::uint32_t> groups(const platforms::Placement& placement, std::string_view spec) {
  const auto parsed = workloads::parse_hierarchical(spec, bcast());
  REQUIRE(parsed);
  const auto hierarchy = workloads::make_hierarchy(*parsed, placement, {.message_bytes = 8});
  REQUIRE(hierarchy);
  std::vector<std::uint32_t> group_of;
  for (std::size_t rank = 0; rank < placement.host_of.size(); ++rank)
    group_of.push_back((*hierarchy)->group_of(static_cast<runtime::RankId>(rank)));
  return group_of;
}

using Groups = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("group=socket divides the ranks by the sockets of their cores") {
  platforms::Machine machine = tests::test_machine(2);  // 4 cores per node
  machine.sockets.count = 2;
  const auto block = placed(machine, 8);
  CHECK(groups(block, "hierarchical:group=socket") == Groups{0, 0, 1, 1, 2, 2, 3, 3});
  CHECK(groups(block, "hierarchical:group=node") == Groups{0, 0, 0, 0, 1, 1, 1, 1});
  CHECK(groups(block, "hierarchical:group=3") == Groups{0, 0, 0, 1, 1, 1, 2, 2});
  const auto scattered = placed(machine, 8, platforms::MapPolicy::round_robin);
  CHECK(groups(scattered, "hierarchical:group=socket") == Groups{0, 1, 0, 1, 2, 3, 2, 3});
}

TEST_CASE("group=node+socket groups the leaders of the sockets by node") {
  platforms::Machine machine = tests::test_machine(3);
  machine.sockets.count = 2;
  const auto placement = placed(machine, 12, platforms::MapPolicy::round_robin);
  CHECK(groups(placement, "hierarchical:group=node+socket") ==
        groups(placement, "hierarchical:group=socket"));
  const auto parsed = workloads::parse_hierarchical("hierarchical:group=node+socket", bcast());
  REQUIRE(parsed);
  const auto sockets =
      workloads::make_hierarchy(*parsed, placement, {.message_bytes = 8, .root = 7});
  REQUIRE(sockets);
  // Ranks 0 3 6 9 are on node 0, 1 4 7 10 on node 1; the second half of each on the second socket.
  CHECK((*sockets)->groups() == 6);
  const auto nodes = (*sockets)->levels().inter.hierarchy;
  REQUIRE(nodes != nullptr);
  CHECK(nodes->groups() == 3);
  for (std::uint32_t node = 0; node < 3; ++node) {
    CHECK(nodes->members(node).size() == 2);
    for (const auto socket : nodes->members(node))
      CHECK(placement.host_of[(*sockets)->leaders()[socket]] == node);
  }
  const auto root_socket = (*sockets)->group_of(7);
  CHECK((*sockets)->leaders()[root_socket] == 7);
  CHECK(nodes->leaders()[1] == static_cast<runtime::RankId>(root_socket));
}

TEST_CASE("groups by socket are an error if nodes have a single socket") {
  const auto placement = placed(tests::test_machine(2), 8);
  for (const std::string group : {"socket", "node+socket"}) {
    const auto parsed = workloads::parse_hierarchical("hierarchical:group=" + group, bcast());
    REQUIRE(parsed);
    const auto hierarchy = workloads::make_hierarchy(*parsed, placement, {.message_bytes = 8});
    REQUIRE(!hierarchy);
    CHECK(hierarchy.errors().front().message ==
          "group=" + group + ": the nodes of the platform have a single socket");
    CHECK(hierarchy.errors().front().hint.find("mpi/sockets") != std::string::npos);
  }
}
