// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/request_table.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

using tutti::studies::replay::RequestTable;

TEST_CASE("a table of requests contains the same as a map, for any insertions and removals") {
  for (const std::uint64_t numbers : {4, 40, 100'000}) {
    std::mt19937_64 random(numbers);
    RequestTable<int> table;
    std::map<std::uint64_t, int> expected;
    CHECK(table.find(1) == nullptr);
    CHECK_FALSE(table.erase(1));
    for (int i = 0; i < 20'000; ++i) {
      const std::uint64_t request = random() % numbers << (random() % 2 * 32);
      if (random() % 2 == 0) {
        table[request] = i;
        expected[request] = i;
      } else {
        REQUIRE(table.erase(request) == (expected.erase(request) > 0));
      }
      REQUIRE(table.size() == expected.size());
      const std::uint64_t other = random() % numbers;
      REQUIRE(table.contains(other) == expected.contains(other));
      if (expected.contains(other)) REQUIRE(*table.find(other) == expected[other]);
    }
    std::map<std::uint64_t, int> seen;
    table.each([&](std::uint64_t request, int value) { seen[request] = value; });
    CHECK(seen == expected);
    table.clear();
    CHECK(table.size() == 0);
  }
}
