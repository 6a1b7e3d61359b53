// SPDX-License-Identifier: BSD-3-Clause
// Simulating one rank per group of equivalent ranks changes the times by at most the estimated
// error, and the counts not at all.
#include "sim/jobs/extrapolation/rank_groups.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "tests/support/draw.hpp"
#include "tests/support/extrapolated.hpp"

namespace {

using namespace tutti;
using namespace tutti::jobs::extrapolation;
using tests::CallOf;
using tests::WholeCall;

// Groups of at least `group` ranks, and a job of fewer nodes with about a third of the processes.
GroupLimits limits_of(const StepJob& job, int group) {
  const std::int64_t procs = job.procs() / group;
  return {.most_messages = procs * procs, .smaller_procs = job.procs() / 3};
}

struct Compared {
  double error = 0;     // of the longest rank's time
  double estimate = 0;  // of this error
};

Compared compare(const WholeCall& call, int group) {
  const StepJob job = call.job();
  const auto reported = of_rank_groups(job, limits_of(job, group));
  REQUIRE(reported);
  REQUIRE(*reported);
  const auto all = run_whole(job, 0);
  REQUIRE(all);
  const Seconds time_s = *std::ranges::max_element(*all);
  return {std::abs((*reported)->time_s / time_s - 1), (*reported)->error};
}

// A random exchange of `least` to twice as many processes.
CallOf random_exchange(std::uint64_t seed, std::uint32_t least) {
  struct Exchange {
    const char* collective;
    const char* algorithm;
  };
  static constexpr Exchange exchanges[] = {
      {"alltoall", "linear"},         {"alltoall", "pairwise"},
      {"alltoall", "scattered"},      {"alltoall", "pairwise_mpich"},
      {"alltoallv", "basic_linear"},  {"alltoallv", "pairwise"},
      {"alltoallv", "scattered"},     {"allgather", "direct-messaging"},
      {"reduce_scatter", "pairwise"},
  };
  tests::Draw draw(seed);
  const auto& [collective, algorithm] = exchanges[draw.below(std::size(exchanges))];
  const char* const platform =
      draw.pick({"lumi-c", "leonardo-dcgp", "fat-tree-262144", "leonardo", "vsc3", "bgq-262144"});
  const int ppn = draw.pick({8, 16});
  const auto nodes = static_cast<int>(draw.between(least, 2 * least)) / ppn;
  const Bytes bytes = draw.pick({256, 4096, 65536});
  return tests::of_equal_blocks(platform, collective, algorithm, nodes * ppn, ppn, bytes);
}

}  // namespace

TEST_CASE("groups of all ranks of a socket represent exchanges that NICs limit") {
  for (const char* const algorithm : {"linear", "scattered"})
    for (const char* const platform : {"fat-tree-262144", "vsc3"}) {
      const WholeCall call(
          tests::of_equal_blocks(platform, "alltoall", algorithm, 256, 16, 64 * 1024));
      CAPTURE(call.name());
      const Compared compared = compare(call, 4);
      CHECK(compared.error <= 0.03);
      CHECK(compared.error <= compared.estimate);
    }
}

TEST_CASE("groups count all messages") {
  for (const char* const collective : {"alltoall", "alltoallv"}) {
    const WholeCall call(tests::of_equal_blocks("lumi-c", collective, "pairwise", 192, 48, 4096));
    const auto reported = of_rank_groups(call.job(), limits_of(call.job(), 8));
    REQUIRE(reported);
    REQUIRE(*reported);
    tests::check_counts((*reported)->counts, call.simulated());
  }
}

TEST_CASE("groups divide the ranks of every node and socket") {
  const auto sizes = [](const CallOf& call) { return group_sizes(WholeCall(call).job()); };
  CHECK(sizes({"lumi-c", "alltoall", "linear", 192, 96, 64}) == std::vector{1, 2, 4, 8, 16, 32});
  CHECK(sizes({"lumi-c", "alltoall", "linear", 200, 96, 64}) == std::vector{1, 2, 4, 8});
  CHECK(sizes({"fat-tree-262144", "alltoall", "linear", 65, 16, 64}) == std::vector{1});
  CHECK(sizes({"fat-tree-262144", "allgather", "ring", 64, 16, 64}).empty());
}

// TUTTI_RANDOM_EXCHANGES=200 checks as many, of 256 to 512 processes.
TEST_CASE("random exchanges: the estimate covers the error in nine of ten jobs") {
  const char* const given = std::getenv("TUTTI_RANDOM_EXCHANGES");
  const int jobs = given == nullptr ? 20 : std::atoi(given);
  REQUIRE(jobs > 0);
  const char* const first = std::getenv("TUTTI_FIRST_EXCHANGE");
  const int start = first == nullptr ? 1 : std::atoi(first);
  int covered = 0, precise = 0;
  for (int seed = start; seed < start + jobs; ++seed) {
    const WholeCall call(
        random_exchange(static_cast<std::uint64_t>(seed), given == nullptr ? 96 : 256));
    CAPTURE(call.name());
    const Compared compared = compare(call, 4);
    covered += compared.error <= compared.estimate;
    precise += compared.estimate <= 0.1;
    if (given != nullptr)
      MESSAGE(call.name(), ": error ", compared.error, ", estimate ", compared.estimate);
  }
  MESSAGE(covered, " of ", jobs, " are covered, ", precise, " have an estimate of at most 10 %");
  CHECK(10 * covered >= 9 * jobs);
}
