// SPDX-License-Identifier: BSD-3-Clause
// Collectives on two and three levels keep their contracts, send the number of messages of their
// formula, and agree in both timed engines, for any algorithm of the levels and any placement of
// the ranks.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/engines/flow/flow_engine.hpp"
#include "sim/engines/inside/link_loads.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/delivery.hpp"
#include "tests/support/run_in_child.hpp"
#include "workloads/hierarchical_spec.hpp"

using namespace tutti;
using algorithms::Algorithm;
using algorithms::CollectiveArgs;

namespace {

constexpr std::string_view collectives[] = {"bcast", "reduce", "allreduce", "allgather", "barrier"};

std::vector<std::string> specs_of(std::string_view collective) {
  std::vector<std::string> specs{"hierarchical", "hierarchical:group=3", "hierarchical:group=1",
                                 "hierarchical:group=node+socket"};
  if (collective == "bcast")
    specs.insert(specs.end(),
                 {"hierarchical:inter=binomial,intra=basic_linear,group=node",
                  "hierarchical:inter=pipeline,intra=knomial,group=5",
                  "hierarchical:inter=binomial,sockets=chain,intra=knomial,group=node+socket"});
  if (collective == "reduce")
    specs.insert(specs.end(),
                 {"hierarchical:inter=binomial,intra=linear,group=4",
                  "hierarchical:inter=chain,sockets=binary,intra=linear,group=node+socket"});
  if (collective == "allreduce")
    specs.insert(specs.end(), {"hierarchical:inter=recursive_doubling,intra=binomial",
                               "hierarchical:inter=ring,up=linear,down=basic_linear,group=4",
                               "hierarchical:group=node+socket,inter=ring,sockets_up=linear,"
                               "sockets_down=chain,intra=binomial"});
  if (collective == "allgather")
    specs.insert(specs.end(), {"hierarchical:inter=ring,up=binomial,down=binomial",
                               "hierarchical:inter=bruck,up=basic_linear,down=pipeline,group=4",
                               "hierarchical:group=node+socket,inter=ring,sockets_up=basic_linear,"
                               "sockets_down=chain,up=binomial,down=binomial"});
  if (collective == "barrier")
    specs.insert(specs.end(), {"hierarchical:inter=bruck,up=tree", "hierarchical:group=4",
                               "hierarchical:inter=bruck,sockets=tree,group=node+socket"});
  return specs;
}

// The first `in_first` ranks of each node are on its first socket, the others on its second one.
platforms::Placement on_sockets(platforms::Placement placement, std::uint32_t in_first) {
  std::map<platforms::HostId, std::uint32_t> ranks_of_node;
  for (const platforms::HostId host : placement.host_of)
    placement.socket_of.push_back(2 * host + (ranks_of_node[host]++ < in_first ? 0 : 1));
  return placement;
}

platforms::Placement dealt_out(int procs, int nodes) {
  platforms::Placement placement = tests::test_placement(procs, (procs + nodes - 1) / nodes);
  for (int rank = 0; rank < procs; ++rank)
    placement.host_of[rank] = static_cast<platforms::HostId>(rank % nodes);
  return placement;
}

struct Case {
  const Algorithm* algorithm;
  CollectiveArgs args;
  std::shared_ptr<const algorithms::Hierarchy> hierarchy;
};

Case made(std::string_view collective, const std::string& spec,
          const platforms::Placement& placement, CollectiveArgs args) {
  const Algorithm* algorithm = algorithms::find_algorithm(collective, "hierarchical");
  REQUIRE(algorithm != nullptr);
  const auto parsed = workloads::parse_hierarchical(spec, *algorithm);
  REQUIRE_MESSAGE(parsed, spec);
  const auto hierarchy = workloads::make_hierarchy(*parsed, placement, args);
  REQUIRE(hierarchy);
  args.hierarchy = hierarchy->get();
  return {algorithm, args, *hierarchy};
}

engines::Job job_of(const Case& test, const platforms::Machine& machine,
                    const platforms::Placement& placement) {
  return {.machine = machine,
          .placement = placement,
          .program = [algorithm = test.algorithm, args = test.args](runtime::Rank& me) {
            return algorithm->program(me, args);
          }};
}

void check_contract(std::string_view collective, const platforms::Machine& machine,
                    const platforms::Placement& placement, const CollectiveArgs& args) {
  const auto procs = static_cast<int>(placement.host_of.size());
  for (const std::string& spec : specs_of(collective)) {
    const Case test = made(collective, spec, placement, args);
    const auto outcome = engines::run_ideal(job_of(test, machine, placement),
                                            workloads::delivery_contract(collective, procs, args));
    CAPTURE(spec);
    CAPTURE(collective);
    CAPTURE(procs);
    CAPTURE(args.root);
    CAPTURE(args.message_bytes);
    CHECK(outcome.problems == std::vector<std::string>{});
    CHECK(test.algorithm->messages({procs, test.args}) == outcome.counts.messages);
  }
}

}  // namespace

TEST_CASE("collectives on two and three levels keep their contracts and their message counts") {
  const platforms::Machine machine = tests::rendezvous_machine(40);
  for (const std::string_view collective : collectives)
    for (int procs = 1; procs <= 33; ++procs)
      for (const int root : {0, procs / 2, procs - 1})
        for (const Bytes bytes : {0, 1, 100}) {
          const Bytes size = collective == "barrier" ? 0 : bytes;
          const bool rooted = algorithms::find_collective(collective)->rooted;
          const CollectiveArgs args{.message_bytes = size, .root = rooted ? root : 0};
          const auto block = tests::test_placement(procs, 4);
          check_contract(collective, machine, on_sockets(block, 2), args);
          check_contract(collective, machine, on_sockets(dealt_out(procs, std::min(procs, 5)), 3),
                         args);
        }
}

TEST_CASE("sockets of different sizes keep the contracts and message counts on three levels") {
  const platforms::Machine machine = tests::rendezvous_machine(40);
  for (const std::string_view collective : collectives)
    for (const int procs : {2, 3, 7, 14, 22, 29})
      for (const std::uint32_t in_first : {1, 4, 7}) {
        const bool rooted = algorithms::find_collective(collective)->rooted;
        const CollectiveArgs args{.message_bytes = collective == "barrier" ? 0 : 24,
                                  .root = rooted ? procs / 2 : 0};
        check_contract(collective, machine, on_sockets(tests::test_placement(procs, 7), in_first),
                       args);
      }
}

TEST_CASE("on two and three levels both engines end at the same time") {
  platforms::Machine machine = tests::test_machine(40);
  machine.sockets = {
      .count = 2, .bus_Bps = 2e9, .link_Bps = 1e9, .link_latency_s = 0.2e-6, .of_rail = {}};
  for (const std::string_view collective : collectives)
    for (const std::string& spec : specs_of(collective)) {
      const platforms::Placement placement = on_sockets(tests::test_placement(30, 4), 2);
      const Case test =
          made(collective, spec, placement, {.message_bytes = collective == "barrier" ? 0 : 5000});
      const engines::Job job = job_of(test, machine, placement);
      const auto simgrid = tests::run_simgrid_in_child(job);
      CAPTURE(spec);
      CAPTURE(collective);
      REQUIRE(simgrid.problems.empty());
      CHECK(tests::largest_difference(simgrid.end_s, tests::flow_ends(job)) <= 1e-9);
    }
}

namespace {

// Bytes over the links of all sockets to the other sockets, on both timed engines' routes.
Bytes bytes_between_sockets(std::string_view collective, const std::string& parameters,
                            Bytes message_bytes) {
  platforms::Machine machine = tests::test_machine(2);
  machine.cores_per_host = 8;
  machine.sockets = {
      .count = 2, .bus_Bps = 2e9, .link_Bps = 1e9, .link_latency_s = 0.2e-6, .of_rail = {}};
  const auto placement = platforms::place(machine, {.procs = 16});
  REQUIRE(placement);
  const Case test =
      made(collective, "hierarchical:" + parameters, *placement, {.message_bytes = message_bytes});
  engines::LinkLoads loads(machine, *placement);
  engines::Job job = job_of(test, machine, *placement);
  job.observers.push_back(&loads);
  CHECK(engines::run_flow(job).problems == std::vector<std::string>{});
  Bytes sum = 0;
  for (const engines::LinkLoad& load : loads.rows()) {
    const std::string name = loads.links().name(load.link);
    if (name.find("_socket_") != name.npos && name.ends_with("_link")) sum += load.bytes;
  }
  return sum;
}

}  // namespace

TEST_CASE("three levels send one message over the link between two sockets") {
  constexpr Bytes m = 10'000;
  const struct {
    std::string_view collective;
    std::string inter_and_intra;
    std::string sockets;
    Bytes on_two_levels;  // per node, in units of m
    Bytes on_three_levels;
  } cases[] = {
      {"bcast", "inter=binomial,intra=basic_linear", "sockets=basic_linear", 4, 1},
      {"reduce", "inter=binomial,intra=linear", "sockets=linear", 4, 1},
      {"allreduce", "inter=ring,up=linear,down=basic_linear",
       "sockets_up=linear,sockets_down=basic_linear", 8, 2},
      // Four blocks up; the result of 16 blocks down.
      {"allgather", "inter=ring,up=basic_linear,down=basic_linear",
       "sockets_up=basic_linear,sockets_down=basic_linear", 4 + 4 * 16, 4 + 16},
  };
  for (const auto& each : cases) {
    CAPTURE(each.collective);
    constexpr Bytes nodes = 2, links = 2;  // a message crosses the links of both sockets
    CHECK(bytes_between_sockets(each.collective, each.inter_and_intra + ",group=node", m) ==
          nodes * links * m * each.on_two_levels);
    CHECK(bytes_between_sockets(each.collective,
                                each.inter_and_intra + "," + each.sockets + ",group=node+socket",
                                m) == nodes * links * m * each.on_three_levels);
  }
}

TEST_CASE("the cost of three levels is the sum of its parts") {
  const auto placement = on_sockets(tests::test_placement(16, 8), 4);
  const platforms::HockneyParameters p{.set = "", .l_s = 1e-6, .b_Bps = 1e9};
  const auto cost_of = [&](std::string_view collective, const std::string& spec) {
    const Case test = made(collective, spec, placement, {.message_bytes = 1000});
    return algorithms::models::hockney(*test.algorithm, {16, test.args}, p);
  };
  // One of two nodes, one of two sockets, three of a socket's other ranks: a hop of 2 us each.
  CHECK(cost_of("bcast",
                "hierarchical:inter=binomial,sockets=binomial,intra=basic_linear,"
                "group=node+socket") == tests::exactly((1 + 1 + 3) * 2e-6));
  CHECK(cost_of("reduce",
                "hierarchical:inter=linear,sockets=linear,intra=linear,group=node+socket") ==
        tests::exactly((1 + 1 + 3) * 2e-6));
}

TEST_CASE("the members of a group and its leader") {
  // Ranks 0 2 4 on one node, 1 3 on another; the root is rank 3.
  const algorithms::Hierarchy hierarchy({0, 1, 0, 1, 0}, 3, 8);
  CHECK(hierarchy.groups() == 2);
  CHECK(hierarchy.leaders()[0] == 0);
  CHECK(hierarchy.leaders()[1] == 3);
  CHECK(hierarchy.leader_index(1) == 1);
  CHECK(hierarchy.index_of(4) == 2);
  CHECK(hierarchy.largest_group() == 3);
  CHECK_FALSE(hierarchy.groups_are_equal());
  CHECK(hierarchy.group_counts()->bytes(0) == 24);
  CHECK_FALSE(hierarchy.is_in_rank_order());
  CHECK(algorithms::Hierarchy({0, 0, 1, 1}, 0, 8).is_in_rank_order());
}

TEST_CASE("errors name invalid parameters of hierarchical") {
  const Algorithm& bcast = *algorithms::find_algorithm("bcast", "hierarchical");
  const struct {
    std::string spec;
    std::string message;
  } cases[] = {
      {"hierarchical:inter=binomal", "inter='binomal': unknown bcast algorithm"},
      {"hierarchical:up=binomial", "'up' has no effect on bcast"},
      {"hierarchical:group=0", "invalid group '0'"},
      {"hierarchical:grup=2", "unknown hierarchical parameter 'grup'"},
      {"hierarchical:sockets=binomial", "'sockets' requires group=node+socket"},
      {"hierarchical:sockets_up=binomial,group=node+socket", "'sockets_up' has no effect on bcast"},
      {"hierarchical:group=socket+node", "invalid group 'socket+node'"},
      {"hierarchical:inter", "invalid hierarchical parameter 'inter'"},
      {"hierarchical:group=2,group=3", "'group' is specified twice"},
      {"hierarchical:inter=hierarchical", "inter=hierarchical: it is itself hierarchical"},
      {"hierarchical:inter=hardware",
       "inter=hardware: hardware collectives require all ranks of the job"},
      {"hierarchical:intra=hardware",
       "intra=hardware: hardware collectives require all ranks of the job"},
  };
  for (const auto& each : cases) {
    const auto parsed = workloads::parse_hierarchical(each.spec, bcast);
    CAPTURE(each.spec);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().message == each.message);
    CHECK(parsed.error().hint.find("hardware") == std::string::npos);
  }
}

TEST_CASE("inside groups a barrier supports two trees, and rejects other algorithms") {
  const Algorithm& barrier = *algorithms::find_algorithm("barrier", "hierarchical");
  for (const char* name : {"bruck", "two_proc", "recursive_doubling", "double_ring", "hardware"})
    for (const char* key : {"up", "intra"}) {
      const auto parsed =
          workloads::parse_hierarchical(fmt::format("hierarchical:{}={}", key, name), barrier);
      CAPTURE(name);
      REQUIRE_FALSE(parsed);
      CHECK(parsed.error().hint == "expected one of auto, linear, tree");
    }
  CHECK(workloads::parse_hierarchical("hierarchical:inter=bruck,up=tree", barrier));
}

TEST_CASE("the algorithms that rules choose for the levels are reported, named ones are not") {
  // Five nodes of 4 ranks, one of 2.
  const auto placement = on_sockets(tests::test_placement(22, 4), 2);
  const auto runs_as = [&](std::string_view collective, const std::string& spec) {
    const Case test =
        made(collective, spec, placement, {.message_bytes = collective == "barrier" ? 0 : 8});
    return algorithms::runs_as(*test.algorithm, {22, test.args});
  };
  CHECK(runs_as("bcast", "hierarchical:inter=binomial,intra=basic_linear") == "");
  CHECK(runs_as("bcast", "hierarchical:inter=binomial,group=1") == "");
  CHECK(runs_as("bcast", "hierarchical:intra=basic_linear").starts_with("inter "));
  CHECK(runs_as("bcast", "hierarchical:inter=binomial").starts_with("down "));
  CHECK(runs_as("allgather", "hierarchical:inter=ring").starts_with("up "));
  CHECK(runs_as("barrier", "hierarchical").starts_with("inter "));
  CHECK(runs_as("barrier", "hierarchical:inter=tree") == "");
  const std::string three = runs_as("allreduce", "hierarchical:group=node+socket");
  for (const char* level : {"up ", "; sockets_up ", "; inter ", "; sockets_down ", "; down "})
    CHECK_MESSAGE(three.find(level) != three.npos, three);
  CHECK(runs_as("bcast",
                "hierarchical:inter=binomial,sockets=chain,intra=knomial,group=node+socket") == "");
  const std::string falls_back =  // two levels of three groups, one element
      runs_as("bcast", "hierarchical:inter=scatter_allgather,intra=basic_linear,group=1");
  CHECK(falls_back == "inter basic_linear");
}
