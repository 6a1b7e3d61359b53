// SPDX-License-Identifier: BSD-3-Clause
// The collectives of coll/han keep their contracts, send the number of messages of their formulas
// and agree in both timed engines, for several segments and for ranks in any order; and the rule
// sets of Open MPI 5.0 and 6 choose them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "algorithms/models/message_cost.hpp"
#include "algorithms/selection/decision.hpp"
#include "algorithms/selection/selection.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/delivery.hpp"
#include "tests/support/run_in_child.hpp"
#include "workloads/hierarchical_spec.hpp"

using namespace tutti;
using algorithms::Algorithm;
using algorithms::CollectiveArgs;
using algorithms::Counts;

namespace {

std::vector<const Algorithm*> han_algorithms() {
  std::vector<const Algorithm*> found;
  for (const Algorithm& each : algorithms::all_algorithms())
    if (each.by_nodes && each.name.starts_with("han")) found.push_back(&each);
  return found;
}

// Rank r on node r mod `nodes`.
platforms::Placement dealt_out(int procs, int nodes) {
  platforms::Placement placement = tests::test_placement(procs, procs / nodes);
  for (int rank = 0; rank < procs; ++rank)
    placement.host_of[rank] = static_cast<platforms::HostId>(rank % nodes);
  return placement;
}

struct Case {
  const Algorithm* algorithm;
  CollectiveArgs args;
  std::shared_ptr<const algorithms::Hierarchy> nodes;
};

Case made(const Algorithm& algorithm, const platforms::Placement& placement, CollectiveArgs args) {
  const auto nodes = workloads::make_hierarchy({}, placement, args);
  REQUIRE(nodes);
  args.hierarchy = nodes->get();
  args.nodes = (*nodes)->shape();
  return {&algorithm, args, *nodes};
}

engines::Job job_of(const Case& test, const platforms::Machine& machine,
                    const platforms::Placement& placement) {
  return {.machine = machine,
          .placement = placement,
          .program = [algorithm = test.algorithm, args = test.args](runtime::Rank& me) {
            return algorithm->program(me, args);
          }};
}

// True if the algorithm ran.
bool check_contract(const Algorithm& algorithm, const platforms::Machine& machine,
                    const platforms::Placement& placement, const CollectiveArgs& args) {
  const auto procs = static_cast<int>(placement.host_of.size());
  const Case test = made(algorithm, placement, args);
  if (!algorithm.runs({procs, test.args})) return false;
  const auto outcome =
      engines::run_ideal(job_of(test, machine, placement),
                         workloads::delivery_contract(algorithm.collective, procs, test.args));
  CAPTURE(algorithm.collective);
  CAPTURE(algorithm.name);
  CAPTURE(procs);
  CAPTURE(args.root);
  CAPTURE(args.message_bytes);
  CAPTURE(args.segment_bytes);
  CHECK(outcome.problems == std::vector<std::string>{});
  CHECK(algorithm.messages({procs, test.args}) == outcome.counts.messages);
  return true;
}

CollectiveArgs args_of(const Algorithm& algorithm, int root, Bytes bytes, Bytes segment) {
  const auto* collective = algorithms::find_collective(algorithm.collective);
  return {.message_bytes = collective->has_message ? bytes : 0,
          .segment_bytes = algorithm.segmented ? segment : 0,
          .root = collective->rooted ? root : 0};
}

}  // namespace

TEST_CASE("the collectives of han keep their contracts and their message counts") {
  const platforms::Machine machine = tests::rendezvous_machine(40);
  for (const Algorithm* algorithm : han_algorithms()) {
    int runs = 0;
    for (const int nodes : {2, 3, 4, 5, 7, 8})
      for (const int ppn : {2, 3, 8})
        for (const int root : {0, 1, nodes * ppn / 2, nodes * ppn - 1})
          for (const Bytes bytes : {0, 1, 100})
            for (const Bytes segment : {0, 30}) {
              const CollectiveArgs args = args_of(*algorithm, root, bytes, segment);
              const int procs = nodes * ppn;
              runs += check_contract(*algorithm, machine, tests::test_placement(procs, ppn), args);
              runs += check_contract(*algorithm, machine, dealt_out(procs, nodes), args);
            }
    CAPTURE(algorithm->name);
    CHECK(runs == 6 * 3 * 4 * 3 * 2 * 2);
  }
}

TEST_CASE("allreduce and barrier of han run on nodes with different numbers of ranks") {
  const platforms::Machine machine = tests::rendezvous_machine(40);
  std::set<std::string_view> unbalanced;
  for (const Algorithm* algorithm : han_algorithms())
    if (check_contract(*algorithm, machine, tests::test_placement(22, 4),
                       args_of(*algorithm, 0, 100, 30)))
      unbalanced.insert(algorithm->collective);
  // The reproducible reduction is that of coll/tuned.
  CHECK(unbalanced == std::set<std::string_view>{"allreduce", "barrier", "reduce"});
  CHECK_FALSE(check_contract(*algorithms::find_algorithm("reduce", "han"), machine,
                             tests::test_placement(22, 4), {.message_bytes = 100}));
}

TEST_CASE("large reductions of han among two nodes go through a chain of fragments") {
  const platforms::Machine machine = tests::rendezvous_machine(4);
  for (const char* collective : {"reduce", "allreduce"})
    for (const Bytes bytes : {65535, 65536, 70000, 140000})
      for (const int root : {0, 5})
        CHECK(check_contract(*algorithms::find_algorithm(collective, "han"), machine,
                             tests::test_placement(6, 3),
                             {.message_bytes = bytes,
                              .segment_bytes = 70000,
                              .root = std::string_view(collective) == "reduce" ? root : 0}));
  const auto messages = [&](Bytes bytes) {
    const auto& reduce = *algorithms::find_algorithm("reduce", "han");
    const Case test = made(reduce, tests::test_placement(4, 2), {.message_bytes = bytes});
    return reduce.messages({4, test.args});
  };
  CHECK(messages(65535) == 2 + 1);
  CHECK(messages(65536) == 2 + 8);
  CHECK(messages(65537) == 2 + 9);
}

TEST_CASE("gatherv and scatterv of han work with blocks of different sizes") {
  const platforms::Machine machine = tests::rendezvous_machine(8);
  for (const char* collective : {"gatherv", "scatterv"})
    for (const int nodes : {2, 4})
      for (const int root : {0, 3, 7}) {
        const Counts counts({0, 5, 17, 3, 0, 0, 8, 1});
        const CollectiveArgs args{
            .message_bytes = counts.total() / 8, .root = root, .counts = &counts};
        const auto& algorithm = *algorithms::find_algorithm(collective, "han");
        CHECK(check_contract(algorithm, machine, tests::test_placement(8, 8 / nodes), args));
        CHECK(check_contract(algorithm, machine, dealt_out(8, nodes), args));
      }
}

TEST_CASE("both engines end the collectives of han at the same time") {
  const platforms::Machine machine = tests::test_machine(40);
  const auto placement = tests::test_placement(24, 4);
  for (const Algorithm* algorithm : han_algorithms()) {
    const Case test = made(*algorithm, placement, args_of(*algorithm, 7, 5000, 2000));
    const engines::Job job = job_of(test, machine, placement);
    const auto simgrid = tests::run_simgrid_in_child(job);
    CAPTURE(algorithm->collective);
    CAPTURE(algorithm->name);
    REQUIRE(simgrid.problems.empty());
    CHECK(tests::largest_difference(simgrid.end_s, tests::flow_ends(job)) <= 1e-9);
  }
}

TEST_CASE("han's cost is the sum of its calls") {
  const platforms::HockneyParameters hockney{.set = "", .l_s = 1e-6, .b_Bps = 1e9};
  const algorithms::models::HockneyCost cost(hockney, 1e9);
  const auto placement = tests::test_placement(32, 8);
  const auto cost_of = [&](const char* collective, const char* name, Bytes bytes, Bytes segment) {
    const auto& algorithm = *algorithms::find_algorithm(collective, name);
    const Case test =
        made(algorithm, placement, {.message_bytes = bytes, .segment_bytes = segment});
    return algorithm.cost({32, test.args, 1e9}, cost);
  };
  // 4 nodes of 8 ranks, 4.1's tables: binary_tree for 4 ranks and 1000 B, knomial (4) for 8.
  const double hop = 2e-6;
  const auto decided = [&](int procs, Bytes bytes) {
    return algorithms::selection::cost_of_decided("bcast", {procs, {.message_bytes = bytes}, 1e9},
                                                  cost);
  };
  CHECK(cost_of("bcast", "han_simple", 1000, 0) ==
        tests::exactly(decided(4, 1000) + decided(8, 1000)));
  CHECK(cost_of("bcast", "han", 1000, 0) == tests::exactly(decided(4, 1000) + decided(8, 1000)));
  // Three segments of 1000 B: two broadcasts of libnbc to three nodes, 3 hops, overlap with low
  // ones.
  CHECK(cost_of("bcast", "han", 3000, 1000) ==
        tests::exactly(decided(4, 1000) + 2 * std::max(3 * hop, decided(8, 1000)) +
                       decided(8, 1000)));
}

namespace {

struct Shape {
  int nodes;
  int least;
  int most;
};

std::string chosen(std::string_view rules, std::string_view collective, Shape shape, Bytes bytes,
                   bool commutative = true) {
  const auto choice =
      algorithms::selection::choose(rules, {.collective = collective,
                                            .procs = std::max(1, shape.nodes) * shape.most,
                                            .message_bytes = bytes,
                                            .elements = bytes,
                                            .commutative = commutative,
                                            .nodes = {shape.nodes, shape.least, shape.most}});
  REQUIRE(choice);
  return fmt::format("{} {} {}", choice->component, choice->algorithm->name, choice->segment_bytes);
}

}  // namespace

TEST_CASE("Open MPI 5.0 chooses han on several nodes with several ranks") {
  for (const char* rules : {"ompi-5.0", "ompi-6"}) {
    CAPTURE(rules);
    CHECK(chosen(rules, "bcast", {4, 8, 8}, 65536) == "han han 65536");
    CHECK(chosen(rules, "bcast", {4, 7, 8}, 65536).starts_with("tuned"));   // imbalance
    CHECK(chosen(rules, "bcast", {32, 1, 1}, 65536).starts_with("tuned"));  // one rank a node
    CHECK(chosen(rules, "bcast", {1, 32, 32}, 65536).starts_with("tuned"));
    CHECK(chosen(rules, "bcast", {0, 0, 32}, 65536).starts_with("tuned"));  // unknown
    CHECK(chosen(rules, "bcast", {2, 1, 2}, 8).starts_with("tuned"));
    CHECK(chosen(rules, "reduce", {4, 8, 8}, 8) == "han han 65536");
    CHECK(chosen(rules, "reduce", {4, 8, 8}, 8, false) == "tuned in-order_binary 0");
    CHECK(chosen(rules, "reduce", {4, 7, 8}, 8).starts_with("tuned"));
    CHECK(chosen(rules, "allreduce", {4, 8, 8}, 8) == "han han 65536");
    CHECK(chosen(rules, "allreduce", {4, 7, 8}, 8) == "han han 65536");
    CHECK(chosen(rules, "allreduce", {4, 8, 8}, 8, false).starts_with("tuned"));
    CHECK(chosen(rules, "allgather", {4, 8, 8}, 8) == "han han 0");
    CHECK(chosen(rules, "allgather", {4, 7, 8}, 8).starts_with("tuned"));
    CHECK(chosen(rules, "gather", {4, 8, 8}, 8) == "han han 0");
    CHECK(chosen(rules, "scatter", {4, 8, 8}, 8) == "han han 0");
    CHECK(chosen(rules, "barrier", {4, 7, 8}, 0) == "han han 0");
    CHECK(chosen(rules, "alltoall", {4, 8, 8}, 8).starts_with("tuned"));
    CHECK(chosen(rules, "reduce_scatter", {4, 8, 8}, 8).starts_with("tuned"));
  }
  CHECK(chosen("ompi-4.1", "bcast", {4, 8, 8}, 65536) == "tuned knomial 0");
  for (const char* collective : {"gatherv", "scatterv"}) {
    CHECK(chosen("ompi-5.0", collective, {4, 8, 8}, 8) == "tuned linear 0");
    CHECK(chosen("ompi-6", collective, {4, 8, 8}, 8) == "han han 0");
  }
}

namespace {

runtime::Program program_on(std::string_view rules, const platforms::Placement& placement,
                            std::string& name, std::shared_ptr<void>& keep) {
  auto selection = std::make_shared<algorithms::selection::Selection>();
  selection->rule_set = rules;
  CollectiveArgs args{.message_bytes = 64 * 1024};
  const auto nodes = workloads::make_hierarchy({}, placement, args);
  REQUIRE(nodes);
  args.hierarchy = nodes->get();
  args.nodes = (*nodes)->shape();
  args.selection = selection.get();
  keep = std::make_shared<std::pair<decltype(selection), std::remove_cvref_t<decltype(*nodes)>>>(
      selection, *nodes);
  const auto procs = static_cast<int>(placement.host_of.size());
  const auto decided = algorithms::selection::decided("bcast", procs, args);
  name = decided.algorithm->name;
  return [decided](runtime::Rank& me) { return decided.algorithm->program(me, decided.args); };
}

}  // namespace

TEST_CASE("Open MPI 5.0 broadcasts 64 KiB by han on 4 nodes, and by tuned on 32") {
  const platforms::Machine machine = tests::test_machine(40);
  const struct {
    int ppn;
    const char* name;
  } cases[] = {{8, "han"}, {1, "knomial"}};
  for (const auto& each : cases) {
    const auto placement = tests::test_placement(32, each.ppn);
    std::string name;
    std::shared_ptr<void> keep;
    const auto program = program_on("ompi-5.0", placement, name, keep);
    CHECK(name == each.name);
    const auto outcome =
        engines::run_ideal({.machine = machine, .placement = placement, .program = program},
                           workloads::delivery_contract("bcast", 32, {.message_bytes = 64 * 1024}));
    CHECK(outcome.problems.empty());
    CHECK(outcome.counts.messages == 31);
  }
}
