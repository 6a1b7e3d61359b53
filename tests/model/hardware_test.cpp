// SPDX-License-Identifier: BSD-3-Clause
// Collectives in the network's hardware: contents, times, engines, missing ranks.
#include "algorithms/hardware/hardware.hpp"

#include <doctest/doctest.h>

#include "tests/support/close_to.hpp"
#include "tests/support/delivery.hpp"
#include "tests/support/run_in_child.hpp"

using namespace tutti;
using tests::close_to;

namespace {

platforms::Machine made_machine() {
  platforms::Machine machine = tests::test_machine(40);
  machine.hardware = {.names = {"bcast", "reduce", "allreduce", "barrier"},
                      .latency_s = 5e-6,
                      .bandwidth_Bps = 2e9,
                      .barrier_s = 3e-6};
  return machine;
}

const platforms::Machine machine = made_machine();

// Rank r arrives r microseconds late.
std::vector<Seconds> ends(std::string_view collective, int procs, int root, Bytes bytes) {
  const auto placement = tests::test_placement(procs);
  const auto* algorithm = algorithms::find_algorithm(collective, "hardware");
  const engines::Job job{
      .machine = machine, .placement = placement, .program = [&](runtime::Rank& me) {
        me.compute(1e-6 * me.id());
        return algorithm->program(me, {.message_bytes = bytes, .root = root});
      }};
  const auto flow = tests::flow_ends(job);
  const auto simgrid = tests::run_simgrid_in_child(job);
  REQUIRE(simgrid.problems.empty());
  CHECK(tests::largest_difference(simgrid.end_s, flow) <= 1e-12);
  return flow;
}

}  // namespace

TEST_CASE("hardware collectives keep their contracts") {
  for (const char* collective : {"bcast", "reduce", "allreduce", "barrier"})
    for (int procs = 1; procs <= 33; ++procs)
      for (const int root : {0, procs - 1})
        for (const bool commutative : {true, false}) {
          CAPTURE(collective);
          CAPTURE(procs);
          CHECK(tests::problems_of(*algorithms::find_algorithm(collective, "hardware"), collective,
                                   machine, procs,
                                   {.message_bytes = collective == std::string("barrier") ? 0 : 8,
                                    .root = root,
                                    .commutative = commutative}) == std::vector<std::string>{});
        }
}

TEST_CASE("the result arrives one latency and the transfer time after the last required rank") {
  const double work_s = 5e-6 + 1000 / 2e9;
  const auto allreduce = ends("allreduce", 4, 0, 1000);
  for (const Seconds end_s : allreduce) CHECK(end_s == close_to(3e-6 + work_s, 1e-12));
  const auto barrier = ends("barrier", 4, 0, 0);
  for (const Seconds end_s : barrier) CHECK(end_s == close_to(6e-6, 1e-12));
  const auto reduce = ends("reduce", 4, 1, 1000);
  CHECK(reduce[0] == 0);
  CHECK(reduce[1] == close_to(3e-6 + work_s, 1e-12));
  CHECK(reduce[3] == close_to(3e-6, 1e-12));
  const auto bcast = ends("bcast", 10, 1, 1000);
  CHECK(bcast[0] == close_to(1e-6 + work_s, 1e-12));
  CHECK(bcast[1] == close_to(1e-6, 1e-12));
  CHECK(bcast[9] == close_to(9e-6, 1e-12));  // it was there before the rank arrived
}

TEST_CASE("a missing rank is reported") {
  const auto placement = tests::test_placement(2);
  const auto outcome = engines::run_ideal(
      {.machine = machine, .placement = placement, .program = [](runtime::Rank& me) {
         return [](runtime::Rank& rank) -> runtime::Task {
           if (rank.id() == 0) co_await rank.hardware({});
         }(me);
       }});
  REQUIRE(outcome.problems.size() == 1);
  CHECK(outcome.problems[0] ==
        "deadlock: rank 0 waits for the other ranks' part of a hardware collective");
}
