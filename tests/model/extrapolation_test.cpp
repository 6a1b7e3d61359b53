// SPDX-License-Identifier: BSD-3-Clause
// Omitting steps changes the times by at most the estimated error, and the counts not at all.
#include "sim/studies/extrapolation/extrapolation.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/studies/extrapolation/sampled_steps.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/extrapolated.hpp"
#include "tests/support/files.hpp"

namespace {

using namespace tutti;
using namespace tutti::studies::extrapolation;
using tests::WholeCall;

}  // namespace

TEST_CASE("rings and neighbour exchange are extrapolated exactly") {
  const int extrapolated = tests::reported_exactly(256, {.seed = 1, .times = 2});
  CHECK(extrapolated >= (tests::full_products() ? 16 : 9));
}

// One set of constants for ranks with similar routes predicts every second step, and misses the
// others.
TEST_CASE("a recurrence is verified at every step") {
  CHECK(tests::is_exactly_reported(
      WholeCall(tests::of_equal_blocks("vsc3", "allgather", "neighbor", 1632, 4, 22505))));
}

// The two steps of a period have twice as many kinds of routes as there are ranks.
TEST_CASE("neighbour exchange is extrapolated where all nodes differ") {
  constexpr int nodes = 300;
  std::string links, hosts, cables;
  for (int i = 0; i < nodes; ++i) {
    hosts += fmt::format("<host id=\"h{}\" speed=\"1Gf\"/>", i);
    links += fmt::format(
        "<link id=\"u{0}\" bandwidth=\"1GBps\" latency=\"{1}ns\"/>"
        "<link id=\"d{0}\" bandwidth=\"1GBps\" latency=\"{2}ns\"/>",
        i, 1000 + 7 * i, 2000 + 13 * i);
    cables += fmt::format("<host_link id=\"h{0}\" up=\"u{0}\" down=\"d{0}\"/>", i);
  }
  const tests::TemporaryFolder folder;
  const auto platform =
      folder.write("star.xml",
                   "<?xml version=\"1.0\"?><!DOCTYPE platform SYSTEM "
                   "\"https://simgrid.org/simgrid.dtd\"><platform version=\"4.1\">"
                   "<zone id=\"z\" routing=\"Cluster\">" +
                       hosts + links + cables + "</zone></platform>");
  for (const auto& [collective, algorithm] : tests::repeated_algorithms) {
    const WholeCall call(tests::of_equal_blocks(platform, collective, algorithm, nodes, 1, 64));
    CAPTURE(call.name());
    tests::is_exactly_reported(call);
  }
}

TEST_CASE("rings of uneven blocks are extrapolated within the estimate, and counted exactly") {
  struct Uneven {
    const char* collective;
    const char* algorithm;
    Bytes bytes;
  };
  constexpr Uneven calls[] = {{"allreduce", "ring", 100'100},
                              {"allreduce", "ring", 10'000'001},
                              {"reduce_scatter", "ring", 1'000'001},
                              {"bcast", "scatter_allgather_ring", 100'200},
                              {"bcast", "scatter_allgather_ring", 1'048'576}};
  const auto check = [&](const auto& levels) {
    const auto [machine, each] = levels;
    const WholeCall call({.platform = tests::extrapolated_machines[machine],
                          .collective = calls[each].collective,
                          .algorithm = calls[each].algorithm,
                          .procs = 400,
                          .ppn = 8,
                          .message_bytes = calls[each].bytes});
    CAPTURE(call.name());
    REQUIRE(has_uneven_blocks(call.job().phases));
    const auto reported = of_uneven_blocks(call.job(), 50'000);
    REQUIRE(reported);
    const auto all = call.simulated();
    CHECK(tests::error_of(*reported, all) <= reported->error);
    CHECK(reported->error < 0.1);
    tests::check_counts(reported->counts, all);
  };
  tests::for_each_case<2>({std::size(tests::extrapolated_machines), std::size(calls)},
                          {.strength = 1, .seed = 1}, check);
}

TEST_CASE("pairwise exchange is extrapolated within the estimate") {
  constexpr int procs = 512;
  const auto check = [&](const auto& levels) {
    const auto [machine, node] = levels;
    const WholeCall call({.platform = tests::extrapolated_machines[machine],
                          .collective = "alltoall",
                          .algorithm = "pairwise",
                          .procs = procs,
                          .ppn = node == 0 ? 1 : 16,
                          .message_bytes = 65536});
    CAPTURE(call.name());
    const auto reported = of_sampled_steps(call.job(), procs * std::int64_t{200});
    REQUIRE(reported);
    const auto all = call.simulated();
    CHECK(reported->simulated_steps <= 200);
    CHECK(tests::error_of(*reported, all) <= reported->error);
    CHECK(reported->error < 0.15);
    tests::check_counts(reported->counts, all);
  };
  tests::for_each_case<2>({std::size(tests::extrapolated_machines), 2}, {.strength = 1, .seed = 1},
                          check);
}

TEST_CASE("calls that cannot be extrapolated are reported") {
  const auto obstacle_of = [](auto change) {
    const WholeCall call({.platform = "fat-tree-262144",
                          .collective = "alltoall",
                          .algorithm = "pairwise",
                          .procs = 64,
                          .message_bytes = 8});
    studies::Point point = call.point();
    point.extrapolates = true;
    change(point);
    return obstacle(point);
  };
  CHECK(obstacle_of([](studies::Point&) {}).empty());
  CHECK(obstacle_of([](studies::Point& point) { point.extrapolates = false; }) ==
        "--extrapolate off");
  CHECK(obstacle_of([](studies::Point& point) {
          point.benchmark.noise = {.kind = runtime::Noise::Kind::multiplicative, .amount = 0.1};
        }).find("noise") != std::string::npos);
  CHECK_FALSE(obstacle_of([](studies::Point& point) { point.inside.path = true; }).empty());
  CHECK_FALSE(obstacle_of([](studies::Point& point) {
                point.call.algorithm = algorithms::find_algorithm("alltoall", "linear_sync");
              }).empty());
}
