// SPDX-License-Identifier: BSD-3-Clause
// Covering arrays contain every combination of levels; the tests count all of them.
#include "tests/support/covering.hpp"

#include <doctest/doctest.h>

#include <array>
#include <set>
#include <tuple>

#include "tests/support/environment.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

using Rows = std::vector<CoveringRow>;

const std::vector<std::vector<int>> shapes{{40, 11, 11, 2, 5, 3, 2, 2},
                                           {2, 2, 5, 3, 11, 11, 2, 9},
                                           {40, 15, 2, 8, 5},
                                           {7, 7, 7, 7},
                                           {2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
                                           {1, 6, 1, 4, 3},
                                           {5, 4},
                                           {9}};

// The number of combinations of these factors' levels that no row has.
int missing(const Rows& rows, const std::vector<int>& levels,
            const std::set<std::size_t>& factors) {
  int combinations = 1;
  for (const std::size_t factor : factors) combinations *= levels[factor];
  std::vector<bool> found(combinations, false);
  for (const CoveringRow& row : rows) {
    int index = 0;
    for (const std::size_t factor : factors) index = index * levels[factor] + row[factor];
    combinations -= !found[index];
    found[index] = true;
  }
  return combinations;
}

// The number for all groups of up to `strength` factors.
int missing(const Rows& rows, const std::vector<int>& levels, int strength) {
  int sum = 0;
  for (std::size_t a = 0; a < levels.size(); ++a)
    for (std::size_t b = a; b < levels.size(); ++b)
      for (std::size_t c = b; c < levels.size(); ++c) {
        const std::set<std::size_t> factors{a, b, c};
        if (static_cast<int>(factors.size()) <= strength) sum += missing(rows, levels, factors);
      }
  return sum;
}

bool in_range(const Rows& rows, const std::vector<int>& levels) {
  for (const CoveringRow& row : rows) {
    if (row.size() != levels.size()) return false;
    for (std::size_t i = 0; i < row.size(); ++i)
      if (row[i] < 0 || row[i] >= levels[i]) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("every combination of levels of every two or three factors occurs") {
  for (const auto& levels : shapes)
    for (const int strength : {1, 2, 3})
      for (const std::uint64_t seed : {0, 77}) {
        CAPTURE(levels);
        CAPTURE(strength);
        CAPTURE(seed);
        const Rows rows = covering_array(levels, {.strength = strength, .seed = seed});
        CHECK(in_range(rows, levels));
        CHECK(missing(rows, levels, strength) == 0);
      }
}

TEST_CASE("the count detects a missing combination") {
  const std::vector<int> levels{7, 5, 3};
  Rows rows = covering_array(levels, {.strength = 2, .seed = 1});
  std::erase_if(rows, [](const CoveringRow& row) { return row[0] == 6 && row[1] == 4; });
  CHECK(missing(rows, levels, {0, 1}) == 1);
  CHECK(missing(rows, levels, 2) >= 1);
}

TEST_CASE("the number of rows is small") {
  const auto rows = [](int strength) {
    return covering_array({40, 11, 11, 2, 5, 3, 2, 2}, {.strength = strength, .seed = 3}).size();
  };
  CHECK(rows(2) <= 40 * 11 * 11 / 10);
  CHECK(rows(3) <= 40 * 11 * 11 * 11 / 10);
  CHECK(covering_array({2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, {}).size() <= 12);
}

TEST_CASE("a strength of all factors, or more, is the full product") {
  for (const int strength : {4, 5}) {
    const Rows rows = covering_array({3, 1, 5, 2}, {.strength = strength, .seed = 2});
    CHECK(rows.size() == 30);
    CHECK(std::set<CoveringRow>(rows.begin(), rows.end()).size() == 30);
  }
}

TEST_CASE("no factors give one empty row, and a factor without levels gives none") {
  CHECK(covering_array({}, {}) == Rows{{}});
  CHECK(covering_array({1, 1, 1}, {}) == Rows{{0, 0, 0}});
  CHECK(covering_array({4, 0, 2}, {}).empty());
}

TEST_CASE("a seed gives the same rows each time, another seed gives others") {
  const auto rows = [](std::uint64_t seed) {
    return covering_array({9, 8, 7, 2, 2, 2}, {.strength = 2, .seed = seed});
  };
  CHECK(rows(5) == rows(5));
  CHECK(rows(5) != rows(6));
  CHECK(covering_array({2, 2, 2}, {.strength = 2, .seed = 1}) ==
        Rows{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {1, 1, 1}});
}

TEST_CASE("each case is called with its levels: a covering array, or the full product") {
  const auto cases = [](const char* full) {
    const EnvironmentVariable variable("TUTTI_FULL_PRODUCTS", full);
    std::set<std::tuple<std::size_t, std::size_t, std::size_t>> found;
    for_each_case<3>({4, 3, 2}, {.seed = 9}, [&](const auto& levels) {
      const auto [a, b, c] = levels;
      CHECK(found.emplace(a, b, c).second);
    });
    return found.size();
  };
  CHECK(cases("") == 12);
  CHECK(cases("0") == 12);
  CHECK(cases("1") == 24);
}

TEST_CASE("several arrays of strength 1 cover each level several times") {
  const EnvironmentVariable variable("TUTTI_FULL_PRODUCTS", "");
  std::array<int, 7> met{};
  for_each_case<2>({7, 3}, {.strength = 1, .seed = 4, .times = 3},
                   [&](const auto& levels) { ++met[levels[0]]; });
  for (const int times : met) CHECK(times == 3);
}

TEST_CASE("levels beyond the last value wrap around to the first") {
  const std::set<int> values{3, 5, 8};
  CHECK(at_level(values, 1) == 5);
  CHECK(at_level(values, 3) == 3);
  CHECK(at_level(values, 10) == 5);
}
