// SPDX-License-Identifier: BSD-3-Clause
// The table of mock-ups, their memory, and the verdicts on measured times.
#include <doctest/doctest.h>

#include <set>

#include "algorithms/guidelines/mockup.hpp"
#include "sim/guidelines/comparison.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies::guidelines;
using algorithms::guidelines::all_mockups;
using algorithms::guidelines::ExtraMemory;
using algorithms::guidelines::find_mockup;
using tests::exactly;

namespace {

ExtraMemory memory_of(std::string_view collective, std::string_view name, Bytes message_bytes,
                      int procs, Bytes element_bytes = 1) {
  const Mockup* mockup = find_mockup(collective, name);
  REQUIRE(mockup != nullptr);
  return mockup->extra({.message_bytes = message_bytes, .element_bytes = element_bytes}, procs);
}

Side side_of(const Mockup* mockup, std::vector<Seconds> times_s) {
  Side side{mockup, {}, {}, std::move(times_s)};
  return side;
}

Setting setting_of(Bytes bytes, std::vector<Seconds> default_s, std::vector<Seconds> mockup_s) {
  const Mockup* mockup = find_mockup("bcast", "bcast_as_allgatherv");
  return {"bcast",
          32,
          bytes,
          {side_of(nullptr, std::move(default_s)), side_of(mockup, std::move(mockup_s))}};
}

}  // namespace

TEST_CASE("there are the 22 guidelines of the paper, and 26 additional mock-ups") {
  CHECK(all_mockups().size() == 48);
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < all_mockups().size(); ++i) {
    const Mockup& mockup = *all_mockups()[i];
    names.insert(mockup.algorithm.name);
    CHECK(mockup.guideline ==
          (i < 22 ? "GL" + std::to_string(i + 1) : "R" + std::to_string(i - 21)));
    CHECK(mockup.library.empty() == (i < 23));
    CHECK(algorithms::find_collective(mockup.algorithm.collective) != nullptr);
    CHECK(algorithms::find_algorithm(mockup.algorithm.collective, mockup.algorithm.name) ==
          nullptr);
  }
  CHECK(names.size() == 48);
}

TEST_CASE("the numbers of a collective's mock-ups are 1, 2, ... as in the library") {
  for (const auto& collective : algorithms::all_collectives()) {
    std::set<int> ids;
    for (const auto* mockup : algorithms::guidelines::find_mockups(collective.name))
      ids.insert(mockup->id);
    if (!ids.empty()) CHECK(*ids.rbegin() == static_cast<int>(ids.size()));
  }
}

TEST_CASE("mock-ups need the memory of Table 1") {
  constexpr int p = 32;
  CHECK(memory_of("allgather", "allgather_as_gather_bcast", 100, p) == ExtraMemory{});
  CHECK(memory_of("allgather", "allgather_as_alltoall", 100, p) == ExtraMemory{3200, 0});
  CHECK(memory_of("allgather", "allgather_as_allreduce", 100, p) == ExtraMemory{3200, 0});
  CHECK(memory_of("allgather", "allgather_as_allgatherv", 100, p) == ExtraMemory{0, 256});
  CHECK(memory_of("allreduce", "allreduce_as_reduce_bcast", 100, p) == ExtraMemory{});
  // c = 28: blocks of 4.
  CHECK(memory_of("allreduce", "allreduce_as_reducescatterblock_allgather", 100, p) ==
        ExtraMemory{4 + 128, 0});
  CHECK(memory_of("allreduce", "allreduce_as_reducescatterblock_allgather", 800, p, 8) ==
        ExtraMemory{32 + 1024, 0});
  CHECK(memory_of("allreduce", "allreduce_as_reducescatter_allgatherv", 100, p) ==
        ExtraMemory{0, 256});
  CHECK(memory_of("alltoall", "alltoall_as_alltoallv", 100, p) == ExtraMemory{0, 256});
  CHECK(memory_of("bcast", "bcast_as_allgatherv", 100, p) == ExtraMemory{0, 256});
  CHECK(memory_of("bcast", "bcast_as_scatter_allgather", 96, p) == ExtraMemory{3 + 96, 0});
  CHECK(memory_of("gather", "gather_as_allgather", 100, p) == ExtraMemory{3200, 0});
  CHECK(memory_of("gather", "gather_as_gatherv", 100, p) == ExtraMemory{0, 256});
  CHECK(memory_of("gather", "gather_as_reduce", 100, p) == ExtraMemory{3200, 0});
  CHECK(memory_of("reduce", "reduce_as_allreduce", 100, p) == ExtraMemory{100, 0});
  CHECK(memory_of("reduce", "reduce_as_reducescatterblock_gather", 100, p) == ExtraMemory{132, 0});
  CHECK(memory_of("reduce", "reduce_as_reducescatter_gatherv", 1000, p) ==
        ExtraMemory{(1000 / 128 + 1) * 4, 256});
  CHECK(memory_of("reduce", "reduce_as_reducescatter", 1000, p) == ExtraMemory{0, 128});
  CHECK(memory_of("reduce_scatter_block", "reducescatterblock_as_reduce_scatter", 100, p) ==
        ExtraMemory{3200, 0});
  CHECK(memory_of("reduce_scatter_block", "reducescatterblock_as_reducescatter", 100, p) ==
        ExtraMemory{0, 128});
  CHECK(memory_of("reduce_scatter_block", "reducescatterblock_as_allreduce", 100, p) ==
        ExtraMemory{3200, 0});
  CHECK(memory_of("scan", "scan_as_exscan_reducelocal", 100, p) == ExtraMemory{});
  CHECK(memory_of("scatter", "scatter_as_bcast", 100, p) == ExtraMemory{3200, 0});
  CHECK(memory_of("scatter", "scatter_as_scatterv", 100, p) == ExtraMemory{0, 256});
  // Beyond 25,000 processes two vectors do not fit into the library's 200,000 B.
  CHECK(memory_of("scatter", "scatter_as_scatterv", 1, 25'000).int_bytes == 200'000);
  CHECK(memory_of("scatter", "scatter_as_scatterv", 1, 250'000).int_bytes == 2'000'000);
}

TEST_CASE("a faster mock-up violates a guideline, and replaces the default above a threshold") {
  const std::vector<Setting> settings{setting_of(1, {1.0}, {1.0}), setting_of(2, {1.0}, {0.95}),
                                      setting_of(4, {1.0}, {0.9}), setting_of(8, {1.0}, {1.2})};
  const auto found = comparisons(settings, {});
  REQUIRE(found.size() == 4);
  CHECK_FALSE(found[0].violated);
  CHECK(found[1].violated);
  CHECK_FALSE(found[1].replaceable);
  CHECK(found[2].replaceable);
  CHECK_FALSE(found[3].violated);
  CHECK_FALSE(comparisons(settings, {.violated = 0.05})[1].violated);
  const std::vector<Setting> close{setting_of(1, {1.0}, {0.99996}), setting_of(2, {1.0}, {0.981}),
                                   setting_of(4, {1.0}, {0.979})};
  const auto by_default = comparisons(close, {});
  CHECK_FALSE(by_default[0].violated);
  CHECK_FALSE(by_default[1].violated);
  CHECK(by_default[2].violated);
  CHECK(comparisons(close, {.violated = 0})[0].violated);
  CHECK(comparisons(settings, {.replaceable = 0.01})[1].replaceable);
}

TEST_CASE("with several runs the medians count, and only significant differences") {
  const std::vector<Setting> settings{
      setting_of(1, {1.0, 1.1, 1.2, 1.1, 1.05}, {0.5, 0.6, 0.5, 0.55, 3.0}),
      setting_of(2, {1.0, 1.1, 1.2, 1.1, 1.05}, {0.5, 0.6, 0.7, 0.55, 0.65})};
  const auto found = comparisons(settings, {});
  CHECK(found[0].relative == exactly(0.5));
  CHECK(found[0].relative_max == exactly(3.0 / 1.1));
  CHECK_FALSE(found[0].violated);  // p = 0.0754
  CHECK(found[1].replaceable);
  CHECK(*found[1].p == exactly(1.0 / 252));
}

TEST_CASE("the rank-sum test is exact") {
  const std::vector<double> low{1, 2, 3}, high{4, 5, 6}, mixed{2, 4, 6};
  CHECK(rank_sum_p(low, high) == exactly(1.0 / 20));
  CHECK(rank_sum_p(high, low) == exactly(1));
  // Ranks 1, 2.5, 4 against 2.5, 5, 6.
  CHECK(rank_sum_p(low, mixed) == exactly(3.0 / 20));
  const std::vector<double> same{7, 7};
  CHECK(rank_sum_p(same, same) == exactly(1));
  CHECK(significance_stars(0.0009) == "***");
  CHECK(significance_stars(0.004) == "**");
  CHECK(significance_stars(0.03) == "*");
  CHECK(significance_stars(0.05).empty());
}

TEST_CASE("for many values the normal approximation matches the exact test") {
  std::vector<double> low, high;
  for (int i = 0; i < 30; ++i) {
    low.push_back(i * 7 % 30);
    high.push_back(i * 11 % 30 + 3);
  }
  const double exact = rank_sum_p(low, high);
  low.push_back(14.5);
  high.push_back(17.5);
  const double approximate = rank_sum_p(low, high);
  CHECK(exact > 0.01);
  CHECK(exact < 0.2);
  CHECK(approximate == tests::close_to(exact, 0.1));
  const std::vector<double> same(100, 1.0);
  CHECK(rank_sum_p(same, same) == exactly(1));
}

TEST_CASE("monotony and split-robustness compare sizes of one collective") {
  // 4 B take less time than 2 B; 8 B more than twice 4 B, and more than four times 2 B.
  const std::vector<Setting> settings{setting_of(1, {1.0}, {}), setting_of(2, {1.5}, {}),
                                      setting_of(4, {1.2}, {}), setting_of(8, {3.0}, {})};
  const auto falling = monotony(settings, {});
  REQUIRE(falling.size() == 3);
  CHECK_FALSE(falling[0].violated);
  CHECK(falling[1].violated);
  CHECK_FALSE(falling[2].violated);
  const auto split = split_robustness(settings, {});
  REQUIRE(split.size() == 3);
  CHECK_FALSE(split[0].violated);
  CHECK(split[2].violated);
  CHECK(split[2].parts == 2);
  CHECK(split[2].small_s == exactly(2.4));
}
