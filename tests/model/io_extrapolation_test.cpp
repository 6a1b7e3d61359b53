// SPDX-License-Identifier: BSD-3-Clause
// Omitting cycles does not change the result; where it would, none is omitted.
#include <doctest/doctest.h>

#include <cmath>

#include "io_models/access.hpp"
#include "io_models/cycle_choice.hpp"
#include "io_models/extrapolation.hpp"
#include "io_models/implementations/plan.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/simulated_io.hpp"

namespace {

using namespace tutti;
using namespace tutti::io_models;
using tests::simulate;
using tests::Simulated;

// The eager limit of tests::test_machine.
constexpr Bytes eager_bytes = 1000;
constexpr CycleLimits limits{.runs_ahead_bytes = eager_bytes};

Plan plan_of(const Access& access, const PlanArgs& args) {
  return {access, tests::test_placement(access.procs()), args};
}

}  // namespace

TEST_CASE("repeating cycles are extrapolated to the result of the full job") {
  int exact = 0;
  for (const int aggregators : {1, 2, 4})
    for (const Bytes buffer : {2048, 8192, 65536})
      for (const bool writes : {true, false})
        for (const Grid grid : {Grid{16, 1}, Grid{4, 4}}) {
          const auto access = GridAccess::blocks(grid, 1024, 1024);
          const Plan plan = plan_of(access, {.aggregators = aggregators, .buffer_bytes = buffer});
          const CycleChoice choice = repeated_cycles(plan.redistribution(), limits);
          if (choice.method != CycleMethod::repeated) continue;
          const Simulated some = simulate(plan, choice, writes);
          const auto reported = some.reported;
          if (!reported) continue;
          const Simulated all = simulate(plan, all_cycles(plan.redistribution()), writes);
          CHECK(std::abs(reported->end_s - all.end_s) <= 1e-9 * all.end_s);
          for (std::size_t i = 0; i < all.times.size(); ++i)
            CHECK(std::abs(reported->spent[i].shuffle_s - all.times[i].now.shuffle_s) <=
                  1e-9 * all.end_s);
          ++exact;
        }
  CHECK(exact >= 8);
}

TEST_CASE("buffers that do not divide the data are extrapolated exactly, or not at all") {
  // Few aggregators have consecutive runs of cycles; at their borders ranks send parts of a buffer,
  // up to the eager limit or not, long before their turn.
  int exact = 0;
  for (const int procs : {2, 3, 7})
    for (const int aggregators : {1, 2})
      for (const Bytes columns : {15'000, 20'001, 32'768})
        for (const Bytes buffer : {1'100, 1'500, 2'000, 3'000, 4'096})
          for (const bool writes : {true, false})
            for (const Grid grid : {Grid{procs, 1}, Grid{1, procs}}) {
              const auto access =
                  GridAccess::blocks(grid, 4 * grid.rows, columns * grid.columns / 4);
              const Plan plan =
                  plan_of(access, {.aggregators = aggregators, .buffer_bytes = buffer});
              const CycleChoice choice = repeated_cycles(plan.redistribution(), limits);
              if (choice.method != CycleMethod::repeated) continue;
              const auto reported = simulate(plan, choice, writes).reported;
              if (!reported) continue;
              const auto all = simulate(plan, all_cycles(plan.redistribution()), writes).reported;
              tests::check_equal_times(*reported, *all);
              ++exact;
            }
  CHECK(exact >= 20);
}

TEST_CASE("cycles with rotating senders are not treated as equal, for any times") {
  // In each cycle another pair of ranks has the data: all take the same time, none repeats.
  std::vector<std::vector<Extent>> pieces(8);
  constexpr Bytes bytes = 4096;
  for (Bytes i = 0; i < 64; ++i) pieces[i % 8].push_back({i * bytes, (i + 1) * bytes});
  const ListAccess access(pieces);
  const Plan plan = plan_of(access, {.aggregators = 1, .buffer_bytes = bytes});
  CHECK(plan.redistribution().cycles() == 64);
  CHECK(repeated_cycles(plan.redistribution(), {}).method == CycleMethod::all);
}

TEST_CASE("messages that run ahead are all simulated, or the job is rejected") {
  const auto access = GridAccess::blocks({4, 4}, 1024, 1024);
  const Plan plan = plan_of(access, {.aggregators = 1, .buffer_bytes = 2048});
  CHECK(repeated_cycles(plan.redistribution(), {}).method == CycleMethod::repeated);
  CHECK(repeated_cycles(plan.redistribution(), limits).method == CycleMethod::all);
  CHECK(
      sampled_cycles(plan.redistribution(), {.most_messages = 100, .runs_ahead_bytes = eager_bytes})
          .runs.empty());
}

TEST_CASE("accesses to other targets are not a repetition") {
  const auto access = GridAccess::blocks({1, 1}, 64, 4096);
  const Plan plan = plan_of(access, {.aggregators = 1, .buffer_bytes = 4096});
  CHECK(repeated_cycles(plan.redistribution(), {}).method == CycleMethod::repeated);
  CHECK(repeated_cycles(plan.redistribution(), {.storage_period = 4096}).method ==
        CycleMethod::repeated);
  CHECK(repeated_cycles(plan.redistribution(), {.storage_period = 3 * 4096}).method ==
        CycleMethod::all);
}

TEST_CASE("a sample of the cycles predicts the time of all within twice its estimated error") {
  for (const Bytes buffer : {8192, 16384}) {
    const auto access = GridAccess::blocks({4, 4}, 1024, 1024);
    const Plan plan = plan_of(access, {.aggregators = 2, .buffer_bytes = buffer});
    const CycleChoice choice =
        sampled_cycles(plan.redistribution(), {.most_messages = 200, .most_sampled = 200});
    REQUIRE(choice.method == CycleMethod::sampled);
    CHECK(choice.runs.size() > 1);
    const Simulated some = simulate(plan, choice, true);
    const auto reported = some.reported;
    REQUIRE(reported);
    const Simulated all = simulate(plan, all_cycles(plan.redistribution()), true);
    CHECK(std::abs(reported->end_s - all.end_s) <= 0.05 * all.end_s);
    REQUIRE(reported->sampling_error);
    CHECK(std::abs(reported->end_s - all.end_s) <= 2 * *reported->sampling_error * all.end_s);
  }
}

TEST_CASE("a sample with merged events takes about the same time, and its error is at least 50 %") {
  const auto access = GridAccess::blocks({64, 1}, 64, 1 << 22);
  const Plan plan = plan_of(
      access, {.partitioning = Partitioning::static_, .aggregators = 64, .buffer_bytes = 16'384});
  const CycleChoice choice =
      sampled_cycles(plan.redistribution(), {.most_messages = 8000, .most_sampled = 1000});
  REQUIRE(choice.method == CycleMethod::sampled);
  const auto exact = simulate(plan, choice, true);
  const Seconds cycle_s = exact.end_s / static_cast<double>(choice.cycles().size());
  const auto merged = simulate(plan, choice, true, false, 1e-4 * cycle_s);
  REQUIRE(exact.reported);
  REQUIRE(merged.reported);
  CHECK(merged.end_s != exact.end_s);
  CHECK(std::abs(merged.reported->end_s - exact.reported->end_s) <= 0.2 * exact.reported->end_s);
  CHECK(*merged.reported->sampling_error >= 0.5);
}

TEST_CASE("the windows of a sample begin and end with the job, and cover it without overlap") {
  const auto access = GridAccess::blocks({16, 1}, 1024, 1024);
  const Plan plan = plan_of(access, {.aggregators = 2, .buffer_bytes = 2048});
  const auto all = plan.redistribution().cycles();
  for (const std::int64_t most : {4, 20, 40, 100, 200}) {
    const auto choice =
        sampled_cycles(plan.redistribution(), {.most_messages = 300, .most_sampled = most});
    REQUIRE(choice.method == CycleMethod::sampled);
    std::int64_t stands_for = 0;
    std::int64_t next = 0;
    for (const CycleRun& run : choice.runs) {
      CHECK(run.first >= next);
      CHECK(run.simulated >= 2);
      next = run.first + run.simulated;
      stands_for += run.count;
    }
    CHECK(choice.runs.size() >= 3);
    CHECK(choice.runs.size() <= 6);
    CHECK(choice.runs.front().first == 0);
    CHECK(next == all);
    CHECK(stands_for == all);
    CHECK(choice.cycles().size() <= static_cast<std::size_t>(std::max<std::int64_t>(15, most / 2)));
  }
}

TEST_CASE("cycles without data are neither counted nor treated as typical") {
  // A distant piece: all but 24 and 8 of 8,388,608 cycles are in the hole before it.
  constexpr Bytes buffer = 4096;
  constexpr Bytes far = Bytes{1} << 35;
  const ListAccess access(
      {{{0, 16 * buffer}}, {{16 * buffer, 24 * buffer}}, {{far, far + 8 * buffer}}});
  const Plan plan = plan_of(access, {.aggregators = 1, .buffer_bytes = buffer});
  const CyclesWithData some(plan.redistribution());
  CHECK(some.count() == 32);
  CHECK(some.at(23) == 23);
  CHECK(some.at(24) == far / buffer);
  CHECK(estimated_messages(plan.redistribution()) == 32);
  const CycleChoice all = sampled_cycles(plan.redistribution(), limits);
  CHECK(all.method == CycleMethod::all);
  CHECK(all.cycles().size() == 32);
  const Simulated full = simulate(plan, all, true);
  CHECK(full.end_s > 0);
  const CycleChoice choice =
      sampled_cycles(plan.redistribution(), {.most_messages = 20, .most_sampled = 20});
  REQUIRE(choice.method == CycleMethod::sampled);
  const Simulated sample = simulate(plan, choice, true);
  REQUIRE(sample.reported);
  CHECK(std::abs(sample.reported->end_s - full.end_s) <=
        2 * *sample.reported->sampling_error * full.end_s);
  // If ranks exchange sizes in every cycle, none may be omitted.
  CHECK(sampled_cycles(plan.redistribution(), {.most_messages = 20, .empty_ones_count = true})
            .runs.empty());
}

TEST_CASE("cycles with data equal those found by looking at each cycle") {
  const GridAccess tiles = GridAccess::tiles(
      {3, 2}, {.rows = 5, .columns = 70, .row_overlap = -9, .column_overlap = -210});
  const ListAccess pieces({{{37, 120}, {900, 901}}, {{60, 200}, {5000, 5300}}, {}});
  for (const Access* access : std::initializer_list<const Access*>{&tiles, &pieces})
    for (const int aggregators : {1, 2, 3})
      for (const Bytes buffer : {1, 7, 64, 500})
        for (const bool is_even : {true, false}) {
          const auto domains = is_even ? FileDomains::even(access->range(), aggregators)
                                       : FileDomains::round_robin(access->range(), aggregators, 48);
          for (const Slices slices : {Slices::of_domain, Slices::of_requests}) {
            const Redistribution redistribution(*access, domains, buffer, slices);
            std::vector<std::int64_t> expected, found;
            for (std::int64_t cycle = 0; cycle < redistribution.cycles(); ++cycle)
              if (messages_of_cycle(redistribution, cycle) > 0) expected.push_back(cycle);
            const CyclesWithData some(redistribution);
            for (std::int64_t i = 0; i < some.count(); ++i) found.push_back(some.at(i));
            CHECK(found == expected);
          }
        }
}

TEST_CASE("the messages of a cycle that is too large for any sample are estimated from some") {
  // Each of 20,000 aggregators receives from all 20,000 processes in each of two cycles.
  constexpr Bytes side = 20'000;
  const auto access = GridAccess::blocks({1, side}, 2 * side, side);
  const Plan plan = plan_of(
      access, {.partitioning = Partitioning::static_, .aggregators = side, .buffer_bytes = side});
  CHECK(messages_of_cycle(plan.redistribution(), 1) == side * side);
  CHECK(estimated_messages(plan.redistribution()) == 2 * side * side);
  CHECK(sampled_cycles(plan.redistribution(), {}).runs.empty());
}

TEST_CASE("a job of which only one cycle can be simulated is not sampled") {
  const auto access = GridAccess::blocks({16, 1}, 1024, 1024);
  const Plan plan = plan_of(access, {.aggregators = 2, .buffer_bytes = 2048});
  CHECK(sampled_cycles(plan.redistribution(), {.most_messages = 3}).runs.empty());
}
