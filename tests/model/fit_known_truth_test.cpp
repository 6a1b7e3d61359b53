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
