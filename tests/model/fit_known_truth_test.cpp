// SPDX-License-Identifier: BSD-3-Clause
// A fit to noisy times of a machine gives its parameters back; ten seeds are in tests/slow.
#include <doctest/doctest.h>

#include "sim/base/quantile.hpp"
#include "tests/support/hidden_machine.hpp"

using namespace tutti;
using namespace tutti::tests;

TEST_CASE("a fit gives parameters back, and says which the times determine") {
  const auto measured = with_noise(hidden_calls({4, 8, 16, 32}, 128 << 20), 0.05, 1);
  const auto fit = studies::fit_to_collectives(measured, flat_machine(64)).value();
  const auto found = recovered(fit.inter);
  CHECK(found.fitted >= 3);
  CHECK(found.outside == 0);
  CHECK(found.bounded_outside <= 3);
  REQUIRE(fit.validation);
  CHECK(fit.validation->by_collective);
  CHECK(fit.validation->folds == 6);
  std::vector<double> errors;
  for (const auto& each : fit.validation->times)
    errors.push_back(std::abs(each.simulated_over_measured - 1));
  CHECK(median_of(errors) < 0.06);
}

TEST_CASE("messages and a few collectives predict others that are not among these") {
  const auto both = fit_to_both(0.05, 1);
  const auto found = recovered(both.fit.inter);
  for (const auto& each : both.fit.inter.parameters)
    MESSAGE(each.name, " ", each.above, ": ", each.value.value_or(0), " ", each.low.value_or(0),
            " ", each.high.value_or(0), " ", studies::status_name(each.status), " ", each.note);
  CHECK(found.fitted >= 1);
  CHECK(found.far_off == 0);
  MESSAGE(median_of(both.errors), " ", quantile_of(both.errors, 0.9));
  CHECK(median_of(both.errors) < 0.1);
}
