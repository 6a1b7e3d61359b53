// SPDX-License-Identifier: BSD-3-Clause
// What calls beside their formulas say together, with numbers made by hand.
#include "sim/validate/model_summary.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "sim/base/quantile.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using studies::CheckedCall;
using tests::exactly;

namespace {

CheckedCall call(std::string algorithm, Bytes bytes, double time_s, double formula_s) {
  CheckedCall made{.collective = "bcast",
                   .algorithm = std::move(algorithm),
                   .procs = 8,
                   .nodes = 2,
                   .ppn = 4,
                   .map = "block",
                   .message_bytes = bytes,
                   .times = {.time_s = time_s},
                   .formulas = {}};
  made.formulas.push_back(
      {.model = "loggp", .set = "s", .times = {.given_s = formula_s, .derived_s = formula_s}});
  return made;
}

Cell in(const Table& table, std::size_t row, const std::string& column) {
  const auto found = std::ranges::find(table.columns, column);
  REQUIRE(found != table.columns.end());
  return table.rows.at(row).at(static_cast<std::size_t>(found - table.columns.begin()));
}
double number_in(const Table& table, std::size_t row, const std::string& column) {
  return number_of(in(table, row, column)).value();
}

}  // namespace

TEST_CASE("medians and quantiles are among the values, or between the two in the middle") {
  CHECK(median_of({3, 1, 2}) == 2);
  CHECK(median_of({4, 1, 2, 3}) == 2.5);
  CHECK(quantile_of({5, 1, 4, 2, 3}, 0.9) == 5);
  CHECK(quantile_of({5, 1, 4, 2, 3}, 0.2) == 1);
  CHECK(quantile_of({5, 1, 4, 2, 3}, 0) == 1);
  CHECK(quantile_of({7}, 1) == 7);
}

TEST_CASE("the parts of an error sum up to it") {
  const studies::ModelTimes times{
      .time_s = 10, .contention_free_s = 7, .private_s = 6, .one_rank_nodes_s = 6.5, .eager_s = 5};
  const auto error = studies::model_error(times, {.given_s = 4, .derived_s = 4.5});
  CHECK(*error.error == exactly(-0.6));
  CHECK(*error.links == exactly(-0.3));
  CHECK(*error.cards == exactly(-0.1));
  CHECK(*error.nodes == exactly(0.05));
  CHECK(*error.protocol == exactly(-0.15));
  CHECK(*error.formula == exactly(-0.05));
  CHECK(*error.parameters == exactly(-0.05));
  CHECK(*error.contention_free_error == exactly(-3.0 / 7));
}

TEST_CASE("what was not simulated has no error, and neither has what takes no time") {
  const auto free = studies::model_error({.contention_free_s = 2}, {.given_s = 3, .derived_s = 3});
  CHECK_FALSE(free.error);
  CHECK(*free.contention_free_error == 0.5);
  CHECK_FALSE(free.links);
  const auto none = studies::model_error({.time_s = 0}, {.given_s = 1, .derived_s = 1});
  CHECK_FALSE(none.error);
}

TEST_CASE("the worst is where simulation and formula are farthest apart by a factor") {
  const auto table =
      studies::model_errors({call("a", 1, 1, 1.1), call("a", 2, 1, 5), call("a", 4, 10, 1)});
  REQUIRE(table.rows.size() == 1);
  CHECK(number_in(table, 0, "calls") == 3);
  CHECK(number_in(table, 0, "median_error") == exactly(0.9));
  CHECK(number_in(table, 0, "p90_error") == exactly(4));
  CHECK(number_in(table, 0, "worst_error") == exactly(-0.9));
  CHECK(number_in(table, 0, "worst_simulated_over_model") == exactly(10));
  CHECK(in(table, 0, "worst_at") == Cell{std::string("8 x 4 B")});
  CHECK(in(table, 0, "mostly") == Cell{});
}

TEST_CASE("a model is judged by the pairs that differ, and by what its choice costs") {
  // Simulated: a < b < c, d as c; the model takes c for the best and cannot tell a from b.
  const auto table = studies::model_ranking(
      {call("a", 1, 1, 2), call("b", 1, 2, 2), call("c", 1, 4, 1), call("d", 1, 4.01, 3)});
  REQUIRE(table.rows.size() == 1);
  CHECK(number_in(table, 0, "settings") == 1);
  CHECK(number_in(table, 0, "pairs") == 5);        // all but c, d
  CHECK(number_in(table, 0, "pairs_right") == 2);  // a, d and b, d
  CHECK(number_in(table, 0, "choice_is_best") == 0);
  CHECK(number_in(table, 0, "worst_regret") == exactly(3));
  CHECK(in(table, 0, "worst_choice") == Cell{std::string("c")});
  CHECK(in(table, 0, "worst_best") == Cell{std::string("a")});
}

TEST_CASE("an algorithm without a rival is no ranking") {
  CHECK(studies::model_ranking({call("a", 1, 1, 2), call("a", 2, 1, 2)}).rows.empty());
  CHECK(studies::model_choices({call("a", 1, 1, 2), call("a", 2, 1, 2)}).rows.empty());
}
