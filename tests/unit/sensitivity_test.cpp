// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "sim/tune/evaluations.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies::tuning;

TEST_CASE(
    "each value has the cost with the others at their best; values without effect are marked") {
  const Space space({{"a", {"1", "2"}}, {"b", {"x", "y", "z"}}, {"c", {"0", "1"}}});
  std::vector<Evaluated> all;
  for (const auto& each : space.all())
    all.push_back({each, each[1] < 2 ? std::optional(10.0 + 5.0 * each[0] + 1.0 * each[1])
                                     : std::nullopt});  // failed
  const auto found = sensitivities(space, all);
  REQUIRE(found.size() == 3);
  CHECK(found[0].spread.value() == tests::exactly(0.5));
  CHECK(found[1].spread.value() == tests::exactly(0.1));
  CHECK(found[1].values.size() == 2);
  CHECK(found[1].values[1].best == 11);
  CHECK(found[1].values[1].mean == tests::exactly(13.5));
  CHECK(found[1].values[1].evaluations == 4);
  CHECK(found[0].differs);
  CHECK_FALSE(found[2].differs);
  CHECK(found[2].compared == 4);
  CHECK(found[2].is_without_effect());
  CHECK(found[2].spread == 0);
}

TEST_CASE("a sample does not determine the influence of a parameter") {
  const Space space({{"a", {"1", "2"}}, {"b", {"x", "y"}}});
  std::vector<Evaluated> all;
  for (const auto& each : space.all()) all.push_back({each, 1.0 + each[0]});
  CHECK(sensitivities(space, all)[0].spread == 1);
  all.pop_back();
  for (const auto& each : sensitivities(space, all)) CHECK_FALSE(each.spread);
}

TEST_CASE("failed combinations leave the influence of all parameters open") {
  const Space space({{"a", {"1", "2"}}, {"b", {"x", "y"}}});
  std::vector<Evaluated> all;
  for (const auto& each : space.all()) all.push_back({each, 1.0 + each[0]});
  all.back() = {all.back().combination, std::nullopt, true};
  const auto found = sensitivities(space, all);
  for (const auto& each : found) CHECK_FALSE(each.spread);
  CHECK(found[0].differs);
  REQUIRE(found[1].values.size() == 2);
  CHECK(found[1].values[0].mean == 1.5);
  CHECK(found[1].values[1].best == 1);
  CHECK_FALSE(found[1].values[1].mean);
  CHECK(found[1].values[1].failed == 1);
}

TEST_CASE("a parameter without comparisons is not reported as without effect") {
  const Space space({{"a", {"1", "2"}}, {"b", {"x", "y"}}});
  const auto found = sensitivities(space, {{{0, 0}, 1.0}, {{1, 1}, 2.0}});
  CHECK(found[0].compared == 0);
  CHECK_FALSE(found[0].differs);
}

TEST_CASE("combinations to which a parameter does not apply do not count for its values") {
  const Space space({{"algorithm", {"ring", "pipeline"}}, {"segment", {"0", "1KiB", "8KiB"}}},
                    [](const Combination& combination, std::size_t parameter) {
                      return parameter == 0 || combination[0] == 1;
                    });
  const auto found =
      sensitivities(space, {{{0, 0}, 1.0}, {{1, 0}, 30.0}, {{1, 1}, 10.0}, {{1, 2}, 20.0}});
  REQUIRE(found[1].values.size() == 3);
  CHECK(found[1].values[0].evaluations == 1);
  CHECK(found[1].values[0].best == 30);
  CHECK(found[1].spread.value() == tests::exactly(2));
}
