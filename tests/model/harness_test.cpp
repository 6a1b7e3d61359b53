// SPDX-License-Identifier: BSD-3-Clause
// How benchmarks measure a call, calculated by hand, on both timed engines. Links of 1 GB/s with 1
// us each (L = 2 us), overheads of 1 us at the sender and 2 us at the receiver.
#include <doctest/doctest.h>

#include "tests/support/agreement.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/test_machine.hpp"
#include "workloads/benchmark.hpp"

using namespace tutti;
using namespace tutti::tests;
using workloads::Benchmark;
using workloads::CollectiveCall;

namespace {

constexpr double us = 1e-6;
constexpr double hop = 5 * us;  // an empty message, from call to end

platforms::Machine machine_with_overheads(platforms::HostId hosts) {
  auto machine = test_machine(hosts);
  machine.inter.send_overhead = machine.inter.isend_overhead = platforms::Piecewise(1 * us);
  machine.inter.recv_overhead = platforms::Piecewise(2 * us);
  return machine;
}

CollectiveCall call_of(const char* collective, const char* algorithm, int procs,
                       const platforms::Machine& machine) {
  return workloads::resolve({.collective = collective, .algorithm = algorithm, .procs = procs},
                            machine, {.procs = procs, .ppn = 1})
      .value();
}

Benchmark benchmark_of(const char* name, const platforms::Machine& machine, int procs) {
  return workloads::on_machine({.harness = workloads::find_harness(name)}, machine,
                               {.procs = procs, .ppn = 1})
      .value();
}

struct Measured {
  std::vector<Seconds> latencies;  // of the slowest rank, by repetition
  std::vector<Seconds> rank_means;
  std::int64_t messages = 0;  // of the whole job
};

// Requires that both engines agree on the times of the whole job.
Measured measured(const platforms::Machine& machine, const CollectiveCall& call,
                  const Benchmark& benchmark, int procs) {
  const auto placement = test_placement(procs);
  workloads::Measurement measurement(procs, benchmark.repetitions_run());
  engines::Job job{machine, placement,
                   workloads::benchmark_program(program_of(call), benchmark, measurement)};
  const auto outcome = engines::run(engines::EngineKind::flow, job);
  REQUIRE(outcome.problems.empty());
  const Measured found{measurement.latencies(), measurement.rank_means(), outcome.counts.messages};
  const auto reference = run_simgrid_in_child(job);
  CHECK(largest_difference(outcome.end_s, reference.end_s) <= 1e-9);
  CHECK(outcome.counts.messages == workloads::expected_messages(call, benchmark, procs));
  return found;
}

}  // namespace

TEST_CASE(
    "after a tree barrier, which ends in a broadcast, a broadcast of the same tree is short") {
  const int procs = 256;  // Open MPI 4.1 chooses the tree barrier there
  const auto machine = machine_with_overheads(procs);
  const auto bcast = call_of("bcast", "binomial", procs, machine);
  const auto alone = measured(machine, bcast, {}, procs);
  CHECK(alone.latencies[0] > 5 * hop);
  const auto benchmark = benchmark_of("pico", machine, procs);
  REQUIRE(benchmark.barrier != nullptr);
  CHECK(benchmark.barrier->algorithm->name == "tree");
  CHECK(measured(machine, bcast, benchmark, procs).latencies[0] < 3 * hop);
}

TEST_CASE("back-to-back calls of two ranks: a send costs its sender less than its receiver") {
  // Rank 0 sends every 1 us; rank 1 receives one message every 2 us, which is what imb measures.
  // Before the next call rank 1 arrives last at the barrier, and leaves it one latency before rank
  // 0, which waits for its message: a receiver takes a whole hop and that latency.
  const auto machine = machine_with_overheads(2);
  const auto bcast = call_of("bcast", "binomial", 2, machine);
  const auto imb = measured(machine, bcast, benchmark_of("imb", machine, 2), 2);
  CHECK(imb.latencies[0] == exactly(2 * us));
  CHECK(imb.rank_means[0] == exactly(1 * us));
  const auto reprompi = measured(machine, bcast, benchmark_of("reprompi", machine, 2), 2);
  CHECK(reprompi.latencies[0] == exactly(hop + 2 * us));
}

TEST_CASE("a harness prints the mean over the ranks, or the maximum") {
  const auto machine = machine_with_overheads(2);
  CHECK(benchmark_of("osu", machine, 2).prints_mean());
  CHECK_FALSE(benchmark_of("pico", machine, 2).prints_mean());
  CHECK_FALSE(Benchmark{}.prints_mean());
}

TEST_CASE("a machine's arrival skew is included in the measurement of several calls") {
  auto machine = machine_with_overheads(8);
  machine.arrival_skew_s = 3 * us;
  const auto benchmark = benchmark_of("reprompi", machine, 8);
  CHECK(benchmark.repetitions_run() == 5);
  const auto call = call_of("allgather", "recursive_doubling", 8, machine);
  const auto with_skew = measured(machine, call, benchmark, 8);
  machine.arrival_skew_s = 0;
  const auto without = measured(machine, call, benchmark_of("reprompi", machine, 8), 8);
  REQUIRE(without.latencies.size() == 1);
  for (const Seconds latency_s : with_skew.latencies) CHECK(latency_s > without.latencies[0]);
}
