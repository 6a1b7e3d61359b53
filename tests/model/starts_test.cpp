// SPDX-License-Identifier: BSD-3-Clause
// Jobs that depend on picoseconds of their ranks' start are detected, and reported with a spread.
#include "sim/jobs/starts.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/support/close_to.hpp"
#include "tests/support/random_jobs.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

RandomJob job_of(const platforms::Machine& machine, const std::string& collective,
                 const std::string& algorithm, platforms::PlacementRequest placement, Bytes bytes) {
  RandomJob job{.name = collective, .point = {}, .machine = &machine};
  auto call = workloads::resolve({.collective = collective,
                                  .algorithm = algorithm,
                                  .procs = placement.procs,
                                  .message_bytes = bytes},
                                 machine, placement);
  REQUIRE(call);
  job.point.call = *std::move(call);
  job.point.placement = std::move(placement);
  job.point.engine = engines::EngineKind::flow;
  return job;
}

const platforms::Machine& jupiter() {
  ::setenv("TUTTI_CATALOG", TUTTI_SOURCE_DIR "/platforms/catalog", 1);
  static const platforms::Machine machine = *platforms::load_machine("jupiter");
  return machine;
}

// 16 nodes of 16 ranks, whose neighbours in the ring are all on other nodes.
RandomJob ring_in_step() {
  return job_of(jupiter(), "allgather", "neighbor",
                {.procs = 256, .policy = platforms::MapPolicy::round_robin, .file = {}}, 4096);
}

}  // namespace

TEST_CASE("a synchronous ring is reported with the times of ranks that start picoseconds apart") {
  auto job = ring_in_step();
  const auto record = record_of(job);
  REQUIRE(record.start_spread.has_value());
  CHECK(*record.starts == jobs::StartChoice{}.runs);
  for (std::uint64_t seed = 11; seed < 16; ++seed)
    CHECK(std::abs(time_with_late_ranks(job, seed) / *record.time_s - 1) <= *record.start_spread);
  job.point.starts.runs = 0;
  const auto in_step = record_of(job);
  CHECK(*in_step.time_s < 0.92 * *record.time_s);
  CHECK(*in_step.starts == 1);
  CHECK_FALSE(in_step.start_spread.has_value());
}

TEST_CASE("the times of all ranks are those of the median start") {
  auto job = ring_in_step();
  job.point.want_ranks = true;
  const auto answer = jobs::run_point(job.point, *job.machine);
  REQUIRE(answer);
  CHECK(std::ranges::max(answer->end_s) == *answer->record.time_s);
  job.point.want_ranks = false;
  job.point.want_traffic = true;  // simulated again, for the observer
  CHECK(*record_of(job).time_s == *answer->record.time_s);
}

TEST_CASE("a job that does not depend on its start has the time of the common start") {
  auto job = job_of(jupiter(), "bcast", "binomial", {.procs = 64, .ppn = 4, .file = {}}, 4096);
  const auto record = record_of(job);
  CHECK(*record.starts == 3);
  CHECK_FALSE(record.start_spread.has_value());
  job.point.starts.runs = 0;
  CHECK(*record_of(job).time_s == *record.time_s);
}

TEST_CASE("a job that is not examined has one start") {
  const auto starts_of = [](RandomJob job) { return *record_of(job).starts; };
  const platforms::PlacementRequest alone{.procs = 32, .ppn = 1, .file = {}};
  auto apart = job_of(jupiter(), "bcast", "pipeline", alone, 1 << 20);
  CHECK(starts_of(apart) == 3);
  apart.point.call.args.segment_bytes = 64;  // half a million messages
  CHECK(starts_of(apart) == 1);
  const platforms::PlacementRequest together{.procs = 16, .ppn = 4, .file = {}};
  CHECK(starts_of(job_of(jupiter(), "alltoall", "linear", together, 4096)) == 1);
}

TEST_CASE("the number of starts of a job that depends on them can be changed") {
  auto job = ring_in_step();
  job.point.starts.runs = 3;
  CHECK(*record_of(job).starts == 3);
}

TEST_CASE("a measured call on which the engines differ is marked") {
  auto job = job_of(jupiter(), "reduce_scatter_block", "pairwise",
                    {.procs = 48, .ppn = 4, .file = {}}, 4096);
  job.point.benchmark = *workloads::on_machine({.harness = workloads::find_harness("pico")},
                                               jupiter(), job.point.placement);
  const double difference = engines_differ_by(job);
  CHECK(difference > 1e-3);
  const auto record = record_of(job);
  CHECK(*record.starts == jobs::StartChoice{}.runs);
  CHECK(record.start_spread.value_or(0) > 0);
}

TEST_CASE("random jobs under --benchmark, --skew and --noise: equal on both engines, or marked") {
  RandomJobs jobs(6, 4'000);
  constexpr double least_examined = 1e-7;
  check_that_jobs_are_equal_or_marked(150, least_examined, [&] { return jobs.next_measured(); });
}

TEST_CASE("the interval of 90% of measured times is the platform's factor, widened by the spread") {
  auto machine = jupiter();
  auto job = job_of(machine, "bcast", "binomial", {.procs = 64, .ppn = 4, .file = {}}, 4096);
  CHECK_FALSE(record_of(job).confidence_low_s.has_value());
  machine = *platforms::load_machine(
      "jupiter", {{"accuracy/allgather", "1.5"}, {"accuracy/bcast", "0:1.1;2KiB:1.25"}});
  const auto stable = record_of(job);
  CHECK(*stable.confidence_low_s == exactly(*stable.time_s / 1.25));
  CHECK(*stable.confidence_high_s == exactly(*stable.time_s * 1.25));
  auto ring = ring_in_step();
  ring.machine = &machine;
  const auto spread = record_of(ring);
  CHECK(*spread.confidence_high_s == exactly(*spread.time_s * 1.5 * (1 + *spread.start_spread)));
}
