// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/short_list.hpp"

#include <doctest/doctest.h>

using namespace tutti;

TEST_CASE("a short list has the values that were added, whatever their number") {
  using List = ShortList<int, 2>;
  const auto with = [](int count) {
    List list;
    for (int value = 0; value < count; ++value) list.push_back(10 + value);
    return list;
  };
  for (const int count : {0, 1, 2, 3, 4, 5, 17}) {
    CAPTURE(count);
    std::vector<int> expected(static_cast<std::size_t>(count));
    std::iota(expected.begin(), expected.end(), 10);
    List list = with(count);
    CHECK(list == expected);
    CHECK(list.size() == expected.size());
    CHECK(list.empty() == expected.empty());
    CHECK(std::equal(list.rbegin(), list.rend(), expected.rbegin(), expected.rend()));

    const List copy = list;
    CHECK(copy == expected);
    const List moved = std::move(list);
    CHECK(moved == expected);
    for (const int other : {0, 1, 2, 3, 17}) {
      List assigned = with(other);
      assigned = copy;
      CHECK(assigned == expected);
      assigned.push_back(9);
      CHECK(assigned[expected.size()] == 9);
      CHECK(copy == expected);
    }
  }
}
