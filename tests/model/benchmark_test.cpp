// SPDX-License-Identifier: BSD-3-Clause
// Repetitions, skew and noise: what is measured, and that all engines agree on it.
#include "workloads/benchmark.hpp"

#include <doctest/doctest.h>

#include "sim/engines/flow/flow_engine.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/run_in_child.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using tests::close_to;
using workloads::Benchmark;
using workloads::Measurement;

namespace {

workloads::CollectiveCall call_of(std::string_view name, Bytes bytes) {
  return {algorithms::find_algorithm("bcast", name), {.message_bytes = bytes}};
}

struct Measured {
  Measurement measurement;
  engines::Outcome outcome;
};

Measured measured(const workloads::CollectiveCall& call, const Benchmark& benchmark, int procs,
                  const platforms::Machine& machine) {
  const auto placement = tests::test_placement(procs);
  Measured made{Measurement(procs, benchmark.repetitions_run()), {}};
  made.outcome = engines::run_flow(
      {.machine = machine,
       .placement = placement,
       .program = workloads::benchmark_program(program_of(call), benchmark, made.measurement),
       .noise = benchmark.noise});
  REQUIRE(made.outcome.problems.empty());
  return made;
}

Benchmark with_skew(const std::string& skew, int procs, int repetitions = 1) {
  auto spec = workloads::with_ranks(*workloads::parse_skew(skew), procs);
  REQUIRE(spec);
  return {.repetitions = repetitions, .skew = *spec};
}

// Eager and without overheads: 100 B take 2 us and 0.1 us, one message after the other.
const platforms::Machine machine = [] {
  platforms::Machine made = tests::test_machine(64);
  made.inter.nic_order = platforms::NicOrder::fifo;
  return made;
}();
constexpr double one_message_s = 2.1e-6;

}  // namespace

TEST_CASE("a latency starts at the rank's own arrival, and a late root delays all") {
  const tests::TemporaryFolder folder;
  const auto path = folder.write("late.csv", "rank,seconds\n0,1e-5\n1,0\n2,2e-5\n");
  const auto call = call_of("basic_linear", 100);
  const auto result = measured(call, with_skew("file:" + path, 3), 3, machine);
  const auto ranks = result.measurement.rank_means();
  CHECK(ranks[0] == 0);
  CHECK(ranks[1] == close_to(1e-5 + one_message_s, 1e-12));
  CHECK(ranks[2] == 0);  // its message was already there
  CHECK(result.measurement.latencies()[0] == close_to(1e-5 + one_message_s, 1e-12));
  CHECK(result.measurement.after_last_arrival()[0] == 0);
}

TEST_CASE("without noise or random skew one repetition runs") {
  CHECK(Benchmark{.repetitions = 10}.repetitions_run() == 1);
  CHECK(with_skew("uniform:1us", 4, 10).repetitions_run() == 10);
  CHECK(Benchmark{.repetitions = 10, .noise = *workloads::parse_noise("additive:1us")}
            .repetitions_run() == 10);
}

TEST_CASE("repetitions draw different numbers, and the same seed draws the same") {
  const auto call = call_of("binomial", 100);
  const auto first = measured(call, with_skew("exponential:5us:3", 16, 8), 16, machine);
  const auto again = measured(call, with_skew("exponential:5us:3", 16, 8), 16, machine);
  const auto other = measured(call, with_skew("exponential:5us:4", 16, 8), 16, machine);
  const auto latencies = first.measurement.latencies();
  CHECK(latencies == again.measurement.latencies());
  CHECK(latencies != other.measurement.latencies());
  REQUIRE(latencies.size() == 8);
  for (std::size_t i = 1; i < latencies.size(); ++i) CHECK(latencies[i] != latencies[0]);
}

TEST_CASE("a barrier separates repetitions") {
  // A single repetition takes four messages in sequence. Ranks leave later barriers with a time
  // difference smaller than four empty messages.
  const Benchmark benchmark = with_skew("uniform:0us", 16, 5);
  const auto latencies =
      measured(call_of("binomial", 100), benchmark, 16, machine).measurement.latencies();
  CHECK(latencies[0] == close_to(4 * one_message_s, 1e-12));
  for (const Seconds latency_s : latencies) {
    CHECK(latency_s >= 0.999 * 4 * one_message_s);
    CHECK(latency_s <= 4 * one_message_s + 8e-6);
  }
}

TEST_CASE("the counts of one call are those of a job without repetitions") {
  for (const int procs : {1, 2, 13, 16, 33})
    for (const Bytes eager_max : {Bytes{-1}, Bytes{64}}) {
      platforms::Machine mixed = tests::test_machine(40);
      mixed.inter.eager_max = eager_max;  // -1: the barrier also uses rendezvous
      const auto placement = tests::test_placement(procs, 4);
      const auto call = call_of("binomial", 100);
      const auto counts_of = [&](const Benchmark& benchmark) {
        Measurement measurement(procs, benchmark.repetitions_run());
        const auto outcome = engines::run_flow(
            {.machine = mixed,
             .placement = placement,
             .program = workloads::benchmark_program(program_of(call), benchmark, measurement),
             .noise = benchmark.noise});
        REQUIRE(outcome.problems.empty());
        CHECK(outcome.counts.messages == workloads::expected_messages(call, benchmark, procs));
        return workloads::counts_of_one_call(outcome.counts, benchmark, mixed, placement);
      };
      const auto one = counts_of({});
      const auto several = counts_of(with_skew("uniform:1us", procs, 5));
      CAPTURE(procs);
      CHECK(several.messages == one.messages);
      CHECK(several.wire_bytes == one.wire_bytes);
      CHECK(several.eager_messages == one.eager_messages);
      CHECK(several.detached_messages == one.detached_messages);
      CHECK(several.rendezvous_messages == one.rendezvous_messages);
      CHECK(several.intra_node_messages == one.intra_node_messages);
      CHECK(several.intra_node_bytes == one.intra_node_bytes);
    }
}

TEST_CASE("additive noise adds its mean, multiplicative noise its fraction") {
  const runtime::Noise additive = *workloads::parse_noise("additive:2us:5");
  const runtime::Noise multiplicative = *workloads::parse_noise("multiplicative:0.5:5");
  double added = 0, multiplied = 0;
  constexpr int draws = 20000;
  for (int i = 0; i < draws; ++i) {
    added += additive.prolonged(1e-6, 7, static_cast<std::uint64_t>(i)) / draws;
    multiplied += multiplicative.prolonged(1e-6, 7, static_cast<std::uint64_t>(i)) / draws;
  }
  CHECK(added == close_to(3e-6, 0.02));
  CHECK(multiplied == close_to(1.5e-6, 0.02));
  CHECK(runtime::Noise{}.prolonged(1e-6, 7, 3) == 1e-6);
}

TEST_CASE("engines apply the same noise and skew") {
  platforms::Machine noisy = tests::test_machine(16);
  noisy.inter.send_overhead = noisy.inter.isend_overhead = platforms::Piecewise(3e-7);
  noisy.inter.recv_overhead = platforms::Piecewise(2e-7);
  const auto placement = tests::test_placement(16);
  const auto call = call_of("binomial", 5000);
  Benchmark benchmark = with_skew("uniform:4us:9", 16, 6);
  benchmark.noise = *workloads::parse_noise("multiplicative:0.4:2");
  Measurement measurement(16, 6);
  const engines::Job job{
      .machine = noisy,
      .placement = placement,
      .program = workloads::benchmark_program(program_of(call), benchmark, measurement),
      .noise = benchmark.noise};
  const auto simgrid = tests::run_simgrid_in_child(job);
  REQUIRE(simgrid.problems.empty());
  CHECK(tests::largest_difference(simgrid.end_s, tests::flow_ends(job)) <= 1e-9);
}

TEST_CASE("invalid skew or noise is an error") {
  CHECK(workloads::parse_skew("unform:1us").error().hint == "did you mean 'uniform'?");
  CHECK(workloads::parse_skew("uniform").error().message ==
        "uniform requires a time and optionally a seed");
  CHECK(workloads::parse_skew("uniform:1us:x").error().message == "invalid seed 'x'");
  CHECK_FALSE(workloads::parse_skew("uniform:-1us"));
  CHECK_FALSE(workloads::parse_skew("file:/nonexistent"));
  CHECK(workloads::parse_noise("additve:1us").error().hint == "did you mean 'additive'?");
  CHECK(workloads::parse_noise("multiplicative:-1").error().message ==
        "noise '-1' is out of range");
  CHECK_FALSE(workloads::parse_noise("multiplicative"));
  CHECK(workloads::parse_noise("multiplicative:5%:3")->amount == 0.05);
  CHECK(workloads::parse_noise("multiplicative:0.05:3")->amount == 0.05);
  CHECK_FALSE(workloads::parse_noise("multiplicative:%"));
  CHECK_FALSE(workloads::parse_noise("multiplicative:-5%"));
  CHECK_FALSE(workloads::parse_noise("additive:5%"));
}
