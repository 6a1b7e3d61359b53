// SPDX-License-Identifier: BSD-3-Clause
// Omitting steps changes the times by at most the estimated error, and the counts not at all.
#include "sim/jobs/extrapolation/extrapolation.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/jobs/extrapolation/smaller_job.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/extrapolated.hpp"
#include "tests/support/files.hpp"

namespace {

using namespace tutti;
using namespace tutti::jobs::extrapolation;
using tests::WholeCall;

struct MessageCounter : runtime::Observer {
  void on_send(const runtime::SentMessage&) override { ++messages; }
  std::int64_t messages = 0;
};

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
                              {"allreduce", "ring_mpich", 1'000'001},
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
    REQUIRE(is_uneven_ring(call.job().phases));
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

TEST_CASE("a ring too long for an exact error estimate has a bound of it") {
  constexpr int procs = 512;
  const WholeCall call(
      tests::of_equal_blocks("fat-tree-262144", "allreduce", "ring", procs, 16, 4000));
  const auto reported = [&](double most_clocks) {
    const auto answer =
        of_repeated_steps(call.job(), {.most_messages = std::int64_t{2} * procs * 32,
                                       .must_extrapolate = true,
                                       .most_clocks = most_clocks,
                                       .useful_error = 1});
    REQUIRE(answer);
    REQUIRE(*answer);
    return **answer;
  };
  const auto exact = reported(1e9);
  const auto bound = reported(0);
  CHECK(bound.time_s == exact.time_s);
  CHECK(bound.error >= exact.error);
  CHECK(bound.error < 1);
  CHECK(tests::error_of(exact, call.simulated()) <= exact.error);
}

TEST_CASE("pairwise exchange is extrapolated within the estimate") {
  constexpr int procs = 512;
  constexpr std::pair<const char*, Bytes> calls[] = {{"alltoall", 65536},
                                                     {"reduce_scatter", procs * 65536},
                                                     {"reduce_scatter", procs * 4096 + 400}};
  const auto check = [&](const auto& levels) {
    const auto [machine, node, each] = levels;
    const WholeCall call({.platform = tests::extrapolated_machines[machine],
                          .collective = calls[each].first,
                          .algorithm = "pairwise",
                          .procs = procs,
                          .ppn = node == 0 ? 1 : 16,
                          .message_bytes = calls[each].second});
    CAPTURE(call.name());
    const auto reported = of_sampled_steps(call.job(), procs * std::int64_t{200});
    REQUIRE(reported);
    const auto all = call.simulated();
    CHECK(reported->simulated_steps <= 200);
    CHECK(tests::error_of(*reported, all) <= reported->error);
    CHECK(reported->error < 0.15);
    tests::check_counts(reported->counts, all);
  };
  tests::for_each_case<3>({std::size(tests::extrapolated_machines), 2, std::size(calls)},
                          {.strength = 1, .seed = 1}, check);
}

// The loads of links do not determine the times then.
TEST_CASE("pairwise exchange without contention is extrapolated within the estimate") {
  constexpr int procs = 512;
  const WholeCall call(
      tests::of_equal_blocks("bgq-262144", "alltoall", "pairwise", procs, 16, 65536));
  auto point = call.point();
  point.contention = engines::Contention::off;
  const auto job = call.job();
  const auto reported = of_sampled_steps(
      {.point = point, .machine = job.machine, .placement = job.placement, .phases = job.phases},
      procs * std::int64_t{200});
  REQUIRE(reported);
  const auto all = jobs::run_point(point, job.machine)->record;
  CHECK(tests::error_of(*reported, all) <= reported->error);
  CHECK(reported->error < most_error);
}

TEST_CASE("a stopped sample ends with the furthest step that a rank has begun") {
  constexpr std::size_t procs = 512, last_row = 10, most_rows = 40;
  const WholeCall call(tests::of_equal_blocks("vsc3", "alltoall", "pairwise", procs, 16, 4096));
  const auto job = call.job();
  std::vector<std::size_t> asked;
  const auto goes_on = [&](const algorithms::StepSample& sample, std::size_t row) {
    CHECK(*std::ranges::min_element(sample.row(0, row)) >= 0);
    asked.push_back(row);
    return row < last_row;
  };
  auto chosen = first_steps_of(job, most_rows);
  chosen.front().dated_from = 1;
  const auto stopped = run(job, chosen, 0, goes_on);
  const auto all = run(job, chosen);
  REQUIRE(stopped);
  REQUIRE(all);
  REQUIRE(asked.size() == last_row + 1);
  CHECK(std::ranges::is_sorted(asked));
  const auto steps = static_cast<std::size_t>(stopped->counts.messages) / procs;
  CHECK(stopped->counts.messages % std::ssize(stopped->end_s) == 0);
  CHECK(steps > last_row);  // ranks of this job drift apart
  CHECK(steps < most_rows);
  for (std::size_t row = 0; row <= last_row; ++row)
    CHECK(std::ranges::equal(stopped->sample.row(0, row), all->sample.row(0, row)));
  const auto last = stopped->sample.row(0, steps);
  for (std::size_t rank = 0; rank < procs; ++rank) CHECK(stopped->end_s[rank] >= last[rank]);
  CHECK(*std::ranges::min_element(last) > stopped->sample.row(0, 0).front());
}

TEST_CASE("a sample is stopped once its ranks are adrift") {
  constexpr std::int64_t procs = 512, steps_of_a_sample = 100;
  const WholeCall call(tests::of_equal_blocks("vsc3", "alltoall", "pairwise", procs, 16, 4096));
  const auto messages_if = [&](double useful_error) {
    MessageCounter counter;
    auto job = call.job();
    job.watcher = &counter;
    const auto reported = of_sampled_steps(job, procs * 2 * steps_of_a_sample, useful_error);
    REQUIRE(reported);
    CHECK(reported->error > most_error);
    return counter.messages;
  };
  const std::int64_t both = messages_if(2);
  CHECK(both > procs * steps_of_a_sample * 3 / 2);
  CHECK(messages_if(most_error) < both / 3);
}

TEST_CASE("the second sample is omitted if the first one is useless") {
  constexpr std::int64_t most_messages = 512 * 200;
  const WholeCall call(tests::of_equal_blocks("vsc3", "alltoall", "pairwise", 512, 16, 4096));
  const auto both = of_sampled_steps(call.job(), most_messages);
  const auto one = of_sampled_steps(call.job(), most_messages, 0);
  REQUIRE(both);
  REQUIRE(one);
  CHECK(one->error > 0);
  CHECK(one->error <= both->error);
  CHECK(one->simulated_steps < both->simulated_steps);
  const auto useful = of_sampled_steps(call.job(), most_messages, both->error);
  REQUIRE(useful);
  CHECK(useful->simulated_steps == both->simulated_steps);
}

// A sample of 50 steps does not show that ranks drift apart over hundreds of steps.
TEST_CASE("what samples miss is found with fewer processes") {
  constexpr int procs = 2 * most_procs_in_full;
  constexpr std::int64_t steps = 50;
  const auto sampled = [](int of_procs, Bytes bytes) {
    const WholeCall call(
        tests::of_equal_blocks("opuntia-250k", "alltoall", "pairwise", of_procs, 1, bytes));
    return of_sampled_steps(call.job(), of_procs * steps, most_error);
  };
  const auto misled = sampled(most_procs_in_full, 1024);
  REQUIRE(misled);
  CHECK(misled->error < accurate_error);
  const auto unusable = sampled(procs, 1024);
  REQUIRE(unusable);
  CHECK(unusable->error > most_error);
  CHECK(unusable->simulated_steps == 0);
  const auto usable = sampled(procs, 64);
  REQUIRE(usable);
  CHECK(usable->error < most_error);
  CHECK(usable->simulated_steps > 0);
}

TEST_CASE("smaller jobs fill nodes, and are powers of two if the job is one") {
  using Both = std::array<runtime::RankId, 2>;
  CHECK(smaller_procs(262144, 16) == Both{1024, 512});
  CHECK(smaller_procs(250000, 16) == Both{1008, 944});
  CHECK(smaller_procs(250000, 20) == Both{1020, 940});
  CHECK(smaller_procs(8000, 1) == Both{1023, 959});
  CHECK(smaller_procs(5000, 5000) == Both{1023, 959});
}

TEST_CASE("a smaller job has the first nodes of the job") {
  const WholeCall call(tests::of_equal_blocks("crill", "alltoall", "pairwise", 96, 32, 64));
  const auto whole = call.job();
  auto placement = whole.placement;
  for (std::size_t rank = 0; rank < placement.host_of.size(); ++rank) {
    placement.host_of[rank] = static_cast<platforms::HostId>(rank % 3);
    placement.core_of.push_back(static_cast<int>(rank / 3));
  }
  const StepJob by_turns{.point = whole.point,
                         .machine = whole.machine,
                         .placement = placement,
                         .phases = whole.phases};
  const auto check = [&](int procs, const std::vector<platforms::HostId>& hosts, int nodes,
                         int ppn) {
    const SmallerJob smaller(by_turns, procs);
    const StepJob job = smaller.job();
    CHECK(job.placement.host_of == hosts);
    CHECK(job.placement.core_of.size() == hosts.size());
    CHECK(job.placement.nodes == nodes);
    CHECK(job.placement.ppn == ppn);
    CHECK(job.procs() == procs);
    CHECK(job.phases.front().count == procs - 1);
  };
  check(3, {0, 0, 0}, 1, 3);
  const auto two_nodes = [](std::size_t ranks) {
    std::vector<platforms::HostId> hosts;
    for (std::size_t rank = 0; rank < ranks; ++rank)
      hosts.push_back(static_cast<platforms::HostId>(rank % 2));
    return hosts;
  };
  check(64, two_nodes(64), 2, 32);
  check(40, two_nodes(40), 2, 20);
}

TEST_CASE("the load of a step is that of its messages, one by one") {
  constexpr int procs = 512;
  const WholeCall call(
      tests::of_equal_blocks("fat-tree-262144", "alltoall", "pairwise", procs, 16, 4096));
  const auto job = call.job();
  const auto& phase = job.phases.front();
  StepLoads loads(job, phase);
  for (const std::int64_t step : {1, 24, 256, 511, 24}) {
    std::map<platforms::LinkId, Seconds> busy_s;
    std::vector<std::vector<platforms::LinkId>> routes(procs);
    Seconds latency_s = 0, bottleneck_s = 0;
    for (runtime::RankId rank = 0; rank < procs; ++rank) {
      const auto& host_of = job.placement.host_of;
      job.machine.message_links(host_of[rank], host_of[phase.to(rank, step, procs)], routes[rank]);
      for (const auto link : routes[rank]) {
        busy_s[link] += 4096 / job.machine.link(link).bandwidth_Bps;
        latency_s += job.machine.link(link).latency_s;
      }
    }
    for (const auto& route : routes) {
      Seconds busiest_s = 0;
      for (const auto link : route) busiest_s = std::max(busiest_s, busy_s[link]);
      bottleneck_s += busiest_s;
    }
    CHECK(loads.of(step).latency_s == tests::exactly(latency_s / procs));
    CHECK(loads.of(step).bottleneck_s == tests::exactly(bottleneck_s / procs));
  }
}

TEST_CASE("calls that cannot be extrapolated are reported") {
  const auto obstacle_of = [](auto change) {
    const WholeCall call({.platform = "fat-tree-262144",
                          .collective = "alltoall",
                          .algorithm = "pairwise",
                          .procs = 64,
                          .message_bytes = 8});
    jobs::Point point = call.point();
    point.extrapolates = true;
    change(point);
    return obstacle(point);
  };
  CHECK(obstacle_of([](jobs::Point&) {}).empty());
  CHECK(obstacle_of([](jobs::Point& point) { point.extrapolates = false; }) == "--extrapolate off");
  CHECK(obstacle_of([](jobs::Point& point) {
          point.benchmark.noise = {.kind = runtime::Noise::Kind::multiplicative, .amount = 0.1};
        }).find("noise") != std::string::npos);
  CHECK_FALSE(obstacle_of([](jobs::Point& point) { point.inside.path = true; }).empty());
  CHECK_FALSE(obstacle_of([](jobs::Point& point) {
                point.call.algorithm = algorithms::find_algorithm("alltoall", "linear_sync");
              }).empty());
}

TEST_CASE("neighbor exchange on nodes with several sockets is extrapolated exactly") {
  const WholeCall call({"lumi-c", "allgather", "neighbor", 1536, 96, 16384});
  const auto job = call.job();
  jobs::Point point = job.point;
  point.extrapolates = true;
  const auto reported = jobs::run_point(point, job.machine);
  REQUIRE(reported);
  const jobs::Record& record = reported->record;
  const jobs::Record all = call.simulated();
  CHECK(record.simulated_steps.value_or(0) > 0);
  CHECK(*record.time_s == tests::close_to(*all.time_s, 1e-9));
  CHECK(*record.time_mean_s == tests::close_to(*all.time_mean_s, 1e-9));
  CHECK(*record.time_min_s == tests::close_to(*all.time_min_s, 1e-9));
}
