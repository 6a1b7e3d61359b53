// SPDX-License-Identifier: BSD-3-Clause
// Segments of a ring end all steps at the times of a simulation of all ranks; where they would not,
// all ranks are simulated.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/jobs/extrapolation/segment_run.hpp"
#include "tests/support/extrapolated.hpp"
#include "tests/support/files.hpp"

namespace {

using namespace tutti;
using namespace tutti::jobs::extrapolation;
using tests::WholeCall;

double largest_difference(std::span<const Seconds> some, std::span<const Seconds> all) {
  double most = 0;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    most = std::max(most, std::abs(some[rank] - all[rank]) / std::max(all[rank], 1e-9));
  return most;
}

// Compares the first steps; false if all ranks must be simulated.
bool are_represented(const WholeCall& call, std::int64_t steps) {
  const StepJob job = call.job();
  const auto by_segments = run_segments(job, steps);
  REQUIRE(by_segments);
  if (!*by_segments) return false;
  const SampledRun& some = **by_segments;
  const auto all = run(job, first_steps_of(job, steps));
  REQUIRE(all);
  for (std::size_t phase = 0; phase < job.phases.size(); ++phase)
    for (std::size_t row = all->sample.first_row(phase); row <= all->sample.steps(phase).size();
         ++row)
      CHECK(largest_difference(some.sample.row(phase, row), all->sample.row(phase, row)) <= 1e-12);
  CHECK(largest_difference(some.end_s, all->end_s) <= 1e-12);
  for (const auto field : runtime::message_counts_fields)
    CHECK(some.counts.*field == all->counts.*field);
  return true;
}

// A platform of one switch, whose nodes have links of these latencies.
std::string star(int nodes, auto latency_ns) {
  std::string links, hosts, cables;
  for (int i = 0; i < nodes; ++i) {
    hosts += fmt::format("<host id=\"h{}\" speed=\"1Gf\"/>", i);
    links += fmt::format(
        "<link id=\"u{0}\" bandwidth=\"1GBps\" latency=\"{1}ns\"/>"
        "<link id=\"d{0}\" bandwidth=\"1GBps\" latency=\"{1}ns\"/>",
        i, latency_ns(i));
    cables += fmt::format("<host_link id=\"h{0}\" up=\"u{0}\" down=\"d{0}\"/>", i);
  }
  return "<?xml version=\"1.0\"?><!DOCTYPE platform SYSTEM "
         "\"https://simgrid.org/simgrid.dtd\"><platform version=\"4.1\">"
         "<zone id=\"z\" routing=\"Cluster\">" +
         hosts + links + cables + "</zone></platform>";
}

// A platform of one switch whose nodes share a backbone.
std::string with_backbone(int nodes) {
  return fmt::format(
      "<?xml version=\"1.0\"?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
      "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-{}\" "
      "speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" bb_bw=\"2GBps\" bb_lat=\"1us\"/></platform>",
      nodes - 1);
}

constexpr std::pair<const char*, const char*> rings[] = {{"allgather", "ring"},
                                                         {"allgather", "neighbor"},
                                                         {"allreduce", "ring"},
                                                         {"reduce_scatter", "ring"}};

}  // namespace

TEST_CASE("segments of a ring represent all its ranks") {
  // Several levels of switches, a torus, an incomplete last node and an incomplete last switch.
  constexpr const char* machines[] = {"fat-tree-262144", "bgq-262144", "vsc3", "opuntia-10k"};
  struct Size {
    int procs, ppn;
  };
  constexpr Size sizes[] = {{400, 1}, {396, 1}, {2000, 4}, {1990, 4}, {2600, 8}};
  constexpr Bytes blocks[] = {64, 4096, 65536};
  int represented = 0, cases = 0;
  tests::for_each_case<4>(
      {std::size(machines), std::size(sizes), std::size(blocks), std::size(rings)},
      {.strength = 2, .seed = 1}, [&](const auto& levels) {
        const auto [machine, size, block, each] = levels;
        const auto [procs, ppn] = sizes[size];
        const WholeCall call(tests::of_equal_blocks(machines[machine], rings[each].first,
                                                    rings[each].second, procs, ppn, blocks[block]));
        CAPTURE(call.name());
        ++cases;
        represented += are_represented(call, cases % 4 == 0 ? 16 : 4);
      });
  CHECK(represented >= cases / 2);
}

TEST_CASE("a ring in which every node differs is simulated with all ranks") {
  constexpr int nodes = 900;
  const tests::TemporaryFolder folder;
  const auto equal = folder.write("equal.xml", star(nodes, [](int) { return 1000; }));
  const auto one =
      folder.write("one.xml", star(nodes, [](int i) { return i == 170 ? 3000 : 1000; }));
  const auto all = folder.write("all.xml", star(nodes, [](int i) { return 1000 + 7 * i; }));
  const auto shared = folder.write("shared.xml", with_backbone(nodes));
  for (const auto& [collective, algorithm] : rings) {
    const auto call = [&, collective = collective, algorithm = algorithm](const auto& platform) {
      return WholeCall(tests::of_equal_blocks(platform, collective, algorithm, nodes, 1, 64));
    };
    CAPTURE(algorithm);
    CHECK(are_represented(call(equal), 4));
    CHECK(are_represented(call(one), 4));
    CHECK_FALSE(are_represented(call(all), 4));
    CHECK_FALSE(are_represented(call(shared), 4));
  }
}

TEST_CASE("a broadcast, whose ranks begin the ring at different times, is simulated with all") {
  const WholeCall call(
      tests::of_equal_blocks("fat-tree-262144", "bcast", "scatter_allgather_ring", 400, 1, 64));
  CHECK_FALSE(are_represented(call, 4));
}
