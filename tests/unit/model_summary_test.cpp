// SPDX-License-Identifier: BSD-3-Clause
// Statistics of calls and their formulas, with hand-made numbers.
#include "sim/validate/model_summary.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "platforms/reader.hpp"
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

}  // namespace

TEST_CASE("medians and quantiles are among the values, or between the two in the middle") {
  CHECK(median_of({3, 1, 2}) == 2);
  CHECK(median_of({4, 1, 2, 3}) == 2.5);
  CHECK(quantile_of({5, 1, 4, 2, 3}, 0.9) == 5);
  CHECK(quantile_of({5, 1, 4, 2, 3}, 0.2) == 1);
  CHECK(quantile_of({5, 1, 4, 2, 3}, 0) == 1);
  CHECK(quantile_of({7}, 1) == 7);
}

TEST_CASE("the parts of an error sum to it") {
  const studies::ModelTimes times{
      .time_s = 10, .contention_free_s = 7, .private_s = 6, .one_rank_nodes_s = 6.5, .eager_s = 5};
  const auto error = studies::model_error(times, {.given_s = 4, .derived_s = 4.5});
  CHECK(*error.error == exactly(-0.6));
  CHECK(*error.links == exactly(-0.3));
  CHECK(*error.nics == exactly(-0.1));
  CHECK(*error.nodes == exactly(0.05));
  CHECK(*error.protocol == exactly(-0.15));
  CHECK(*error.formula == exactly(-0.05));
  CHECK(*error.parameters == exactly(-0.05));
  CHECK(*error.contention_free_error == exactly(-3.0 / 7));
}

TEST_CASE("points that were not simulated or take no time have no error") {
  const auto free = studies::model_error({.contention_free_s = 2}, {.given_s = 3, .derived_s = 3});
  CHECK_FALSE(free.error);
  CHECK(*free.contention_free_error == 0.5);
  CHECK_FALSE(free.links);
  const auto none = studies::model_error({.time_s = 0}, {.given_s = 1, .derived_s = 1});
  CHECK_FALSE(none.error);
}

TEST_CASE("the worst point has the largest factor between simulation and formula") {
  const std::vector calls{call("a", 1, 1, 1.1), call("a", 2, 1, 5), call("a", 4, 10, 1)};
  const auto all = studies::model_errors(calls);
  REQUIRE(all.size() == 1);
  const auto& errors = all.front();
  CHECK(errors.calls == 3);
  CHECK(*errors.median == exactly(0.9));
  CHECK(*errors.p90 == exactly(4));
  CHECK(*errors.worst == exactly(-0.9));
  CHECK(*errors.worst_ratio == exactly(10));
  CHECK(*errors.worst_at == "8 x 4 B");
  CHECK_FALSE(errors.mostly);
}

TEST_CASE("a model is evaluated by the pairs that differ, and by the cost of its choice") {
  // Simulated: a < b < c, d as c; the model ranks c best and predicts equal times for a and b.
  const std::vector calls{call("a", 1, 1, 2), call("b", 1, 2, 2), call("c", 1, 4, 1),
                          call("d", 1, 4.01, 3)};
  const auto all = studies::model_rankings(calls);
  REQUIRE(all.size() == 1);
  const auto& ranking = all.front();
  CHECK(ranking.settings == 1);
  CHECK(ranking.pairs == 5);  // all but c, d
  CHECK(ranking.right == 2);  // a, d and b, d
  CHECK(ranking.best == 0);
  CHECK(ranking.worst.regret() == exactly(3));
  CHECK(ranking.worst.choice->algorithm == "c");
  CHECK(ranking.worst.best->algorithm == "a");
}

TEST_CASE("an algorithm without a competitor gives no ranking") {
  CHECK(studies::model_rankings({call("a", 1, 1, 2), call("a", 2, 1, 2)}).empty());
  CHECK(studies::model_settings({call("a", 1, 1, 2), call("a", 2, 1, 2)}).empty());
}

TEST_CASE("calls are checked against their formulas without a command") {
  const auto on = platforms::load_machine("crill", {}).value();
  studies::ModelCheckSpec spec{
      .sweeps = {}, .models = {"hockney", "loggp"}, .parameters = "platform", .options = {}};
  studies::Sweep sweep;
  sweep.collective = "bcast";
  sweep.algorithms = {"binomial"};
  sweep.procs = {1, 4};
  sweep.ppn = {1};
  sweep.message_bytes = {1024};
  sweep.common.engine = engines::EngineKind::flow;
  spec.sweeps = {sweep};
  const auto plan = studies::plan_model_check(spec, on, false);
  REQUIRE(bool(plan));
  CHECK(plan->points.size() == 1);  // a single process has no formula
  const auto found = simulate_calls(spec, *plan, on, studies::quiet_runner({.jobs = 2}));
  REQUIRE(found.calls.size() == 1);
  const auto& call = found.calls.front();
  CHECK(call.formulas.size() == 2);
  CHECK(call.times.time_s.value() >= call.times.contention_free_s.value());
  CHECK(call.times.eager_s);

  spec.sweeps[0].procs = {1};
  CHECK(studies::plan_model_check(spec, on, false).error().message == "select nothing to compare");
}
