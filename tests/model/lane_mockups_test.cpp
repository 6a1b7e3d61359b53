// SPDX-License-Identifier: BSD-3-Clause
// The lane and hier mock-ups on several nodes with several ranks: they keep their contracts, send
// the number of messages of their formulas, and divide the traffic between the nodes as the paper
// describes; on nodes that differ, or whose ranks are not consecutive, they run without nodes.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <vector>

#include "algorithms/guidelines/mockup.hpp"
#include "algorithms/models/message_cost.hpp"
#include "sim/engines/traffic_counter.hpp"
#include "tests/support/delivery.hpp"
#include "workloads/hierarchical_spec.hpp"

using namespace tutti;
using algorithms::Algorithm;
using algorithms::CollectiveArgs;
using algorithms::guidelines::find_mockup;
using algorithms::guidelines::Mockup;

namespace {

std::vector<const Mockup*> mockups_by_nodes() {
  std::vector<const Mockup*> found;
  for (const Mockup* each : algorithms::guidelines::all_mockups())
    if (each->algorithm.by_nodes) found.push_back(each);
  return found;
}

// Rank r on node r mod `nodes`.
platforms::Placement round_robin(int procs, int nodes) {
  platforms::Placement placement = tests::test_placement(procs, procs / nodes);
  for (int rank = 0; rank < procs; ++rank)
    placement.host_of[rank] = static_cast<platforms::HostId>(rank % nodes);
  return placement;
}

// One run on the ideal engine.
struct Run {
  std::vector<std::string> problems;
  std::int64_t messages = 0;
  std::int64_t formula = 0;
  std::map<std::pair<int, int>, std::pair<std::int64_t, Bytes>> traffic = {};  // between ranks
};

Run run_of(const Algorithm& algorithm, const platforms::Placement& placement, CollectiveArgs args) {
  static const platforms::Machine machine = tests::rendezvous_machine(40);
  const auto procs = static_cast<int>(placement.host_of.size());
  const auto nodes = workloads::make_hierarchy({}, placement, args);
  REQUIRE(nodes);
  args.hierarchy = nodes->get();
  args.nodes = (*nodes)->shape();
  engines::TrafficCounter counter;
  const auto outcome =
      engines::run_ideal({.machine = machine,
                          .placement = placement,
                          .program = [&](runtime::Rank& me) { return algorithm.program(me, args); },
                          .observers = {&counter}},
                         workloads::delivery_contract(algorithm.collective, procs, args));
  Run run{outcome.problems, outcome.counts.messages, algorithm.messages({procs, args})};
  for (const auto& row : counter.rows()) {
    auto& [messages, bytes] = run.traffic[{row.source, row.destination}];
    messages += row.messages;
    bytes += row.bytes;
  }
  return run;
}

CollectiveArgs args_of(const Algorithm& algorithm, Bytes bytes, int root, Bytes element_bytes = 1) {
  const auto* collective = algorithms::find_collective(algorithm.collective);
  return {.message_bytes = bytes * element_bytes,
          .root = collective->rooted ? root : 0,
          .element_bytes = element_bytes};
}

void check_run(const Algorithm& algorithm, const platforms::Placement& placement,
               const CollectiveArgs& args) {
  const Run run = run_of(algorithm, placement, args);
  if (run.problems.empty() && run.messages == run.formula) return;
  CAPTURE(algorithm.name);
  CAPTURE(placement.host_of.size());
  CAPTURE(args.message_bytes);
  CAPTURE(args.element_bytes);
  CAPTURE(args.root);
  CAPTURE(args.commutative);
  CHECK(run.problems == std::vector<std::string>{});
  CHECK(run.messages == run.formula);
}

// Bytes that leave each rank for other nodes, with `ppn` consecutive ranks on a node.
std::vector<Bytes> sent_to_other_nodes(const Run& run, int procs, int ppn) {
  std::vector<Bytes> sent(static_cast<std::size_t>(procs));
  for (const auto& [pair, traffic] : run.traffic)
    if (pair.first / ppn != pair.second / ppn)
      sent[static_cast<std::size_t>(pair.first)] += traffic.second;
  return sent;
}

Run run_on_nodes(std::string_view collective, std::string_view name, int nodes, int ppn,
                 Bytes bytes) {
  const Mockup* mockup = find_mockup(collective, name);
  REQUIRE(mockup != nullptr);
  return run_of(mockup->algorithm, tests::test_placement(nodes * ppn, ppn),
                args_of(mockup->algorithm, bytes, 0));
}

}  // namespace

TEST_CASE("mock-ups by lanes and leaders keep their contracts and their message counts") {
  CHECK(mockups_by_nodes().size() == 18);
  for (const Mockup* mockup : mockups_by_nodes()) {
    const bool reduces = algorithms::find_collective(mockup->algorithm.collective)->reduces;
    for (const int nodes : {2, 3, 4, 5, 8})
      for (const int ppn : {2, 3, 4})
        for (const int root : {0, 1, nodes * ppn / 2, nodes * ppn - 1})
          for (const Bytes elements : {0, 1, 7, 12, 100})
            for (const bool commutative : {true, false}) {
              if (!commutative && !reduces) continue;
              CollectiveArgs args =
                  args_of(mockup->algorithm, elements, root, elements == 7 ? 8 : 1);
              args.commutative = commutative;
              const auto& runs = mockup->algorithm.runs;
              if (runs != nullptr && !runs({nodes * ppn, args})) continue;
              check_run(mockup->algorithm, tests::test_placement(nodes * ppn, ppn), args);
            }
  }
}

TEST_CASE("without regular nodes the ranks form one lane") {
  for (const Mockup* mockup : mockups_by_nodes())
    for (const auto& placement :
         {tests::test_placement(22, 4), round_robin(12, 3), tests::test_placement(8, 8)}) {
      const auto procs = static_cast<int>(placement.host_of.size());
      const CollectiveArgs args = args_of(mockup->algorithm, 23, procs / 2);
      check_run(mockup->algorithm, placement, args);
      const Run run = run_of(mockup->algorithm, placement, args);
      const Run flat = run_of(mockup->algorithm, tests::test_placement(procs, 1), args);
      CHECK(run.traffic == flat.traffic);
    }
}

TEST_CASE("on lanes, all ranks of a node share the data that leave it") {
  constexpr int nodes = 4, ppn = 4, procs = nodes * ppn;
  constexpr Bytes vector = 64000;
  const auto sum = [](const std::vector<Bytes>& sent) {
    return std::accumulate(sent.begin(), sent.end(), Bytes{0});
  };
  const auto lane = sent_to_other_nodes(
      run_on_nodes("bcast", "bcast_as_bcast_lane", nodes, ppn, vector), procs, ppn);
  // Each other node gets each byte once; the first node's ranks send equal parts.
  CHECK(sum(lane) == (nodes - 1) * vector);
  for (int rank = 1; rank < ppn; ++rank) CHECK(lane[rank] == lane[0]);
  CHECK(lane[0] > 0);
  const auto hier = sent_to_other_nodes(
      run_on_nodes("bcast", "bcast_as_bcast_hier", nodes, ppn, vector), procs, ppn);
  CHECK(sum(hier) == (nodes - 1) * vector);
  for (int rank = 0; rank < procs; ++rank)
    if (rank % ppn != 0) CHECK(hier[rank] == 0);

  // In total as much as an alltoall among the nodes of all blocks.
  const auto alltoall = sent_to_other_nodes(
      run_on_nodes("alltoall", "alltoall_as_alltoall_lane", nodes, ppn, 100), procs, ppn);
  CHECK(sum(alltoall) == Bytes{procs} * (procs - ppn) * 100);
  for (const Bytes sent : alltoall) CHECK(sent == alltoall[0]);
}

TEST_CASE("a zero-copy allgather on lanes sends the same messages as that with a buffer") {
  for (const int ppn : {1, 2, 4})
    CHECK(run_on_nodes("allgather", "allgather_as_allgather_lane", 3, ppn, 40).traffic ==
          run_on_nodes("allgather", "allgather_as_allgather_lane_zero", 3, ppn, 40).traffic);
}

// Smaller vectors may run with faster algorithms: fewer elements than ranks are not scattered.
TEST_CASE("costs of mock-ups by nodes are positive, and grow with the size") {
  platforms::HockneyParameters link;
  link.l_s = 1e-6;
  link.b_Bps = 1e9;
  for (const Mockup* mockup : mockups_by_nodes()) {
    const auto placement = tests::test_placement(24, 4);
    Seconds last_s = 0;
    for (const Bytes bytes : {1000, 20000, 400000}) {
      CollectiveArgs args = args_of(mockup->algorithm, bytes, 5);
      const auto nodes = workloads::make_hierarchy({}, placement, args);
      REQUIRE(nodes);
      args.hierarchy = nodes->get();
      const Seconds cost_s = algorithms::models::hockney(mockup->algorithm, {24, args}, link);
      CAPTURE(mockup->algorithm.name);
      CHECK(cost_s > last_s);
      last_s = cost_s;
    }
  }
}

TEST_CASE("MPICH's scan by nodes keeps its contract on nodes with consecutive ranks") {
  const Algorithm& smp = *algorithms::find_algorithm("scan", "smp");
  for (const int procs : {5, 8, 12, 22})
    for (const int ppn : {2, 3, 4})
      for (const Bytes bytes : {0, 1, 4, 100})
        for (const bool commutative : {true, false})
          check_run(smp, tests::test_placement(procs, ppn),
                    {.message_bytes = bytes, .commutative = commutative});
  const auto runs_on = [&](const platforms::Placement& placement) {
    const auto nodes = workloads::make_hierarchy({}, placement, {});
    REQUIRE(nodes);
    return smp.runs({static_cast<int>(placement.host_of.size()), {.hierarchy = nodes->get()}});
  };
  CHECK(runs_on(tests::test_placement(22, 4)));
  CHECK_FALSE(runs_on(round_robin(12, 3)));
  CHECK_FALSE(runs_on(tests::test_placement(4, 4)));
}
