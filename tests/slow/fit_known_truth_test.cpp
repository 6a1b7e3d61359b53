// SPDX-License-Identifier: BSD-3-Clause
// A fit to noisy times of a machine recovers its parameters, for ten seeds.
#include <doctest/doctest.h>

#include <algorithm>
#include <thread>

#include "sim/base/quantile.hpp"
#include "tests/support/hidden_machine.hpp"

using namespace tutti;
using namespace tutti::tests;

TEST_CASE("parameters that the times determine are recovered within 5%") {
  constexpr unsigned seeds = 10;
  const auto calls = hidden_calls({4, 8, 16, 32, 64}, 128 << 20);
  Recovered sum;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    const auto fit =
        studies::fit_to_collectives(
            with_noise(calls, 0.05, seed), flat_machine(64),
            {.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency())),
             .cross_validate = false})
            .value();
    for (const auto& each : fit.inter.parameters)
      MESSAGE(each.name, " ", each.above, ": ", *each.value, " ", each.low.value_or(0), " ",
              each.high.value_or(0), " ", studies::status_name(each.status));
    sum += recovered(fit.inter);
    CHECK(fit.inter.eager_max == 16384);
  }
  MESSAGE(sum.fitted, " fitted, ", sum.far_off, " of them more than 5 % off, ", sum.outside,
          " outside; of ", sum.bounded, " intervals ", sum.bounded_outside, " miss");
  CHECK(sum.fitted >= 5 * static_cast<int>(seeds));
  CHECK(sum.far_off * 20 <= sum.fitted);
  CHECK(sum.bounded_outside * 10 <= sum.bounded);
}

TEST_CASE("a fit to messages and a few collectives predicts linear gathers and alltoalls") {
  constexpr unsigned seeds = 10;
  Recovered sum;
  std::vector<double> medians;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    const auto both = fit_to_both(
        0.05, seed, static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
    sum += recovered(both.fit.inter);
    medians.push_back(median_of(both.errors));
    MESSAGE("median error ", medians.back(), ", 90th percentile ", quantile_of(both.errors, 0.9));
  }
  MESSAGE(sum.fitted, " fitted, ", sum.far_off, " of them more than 5 % off, ", sum.outside,
          " outside; of ", sum.bounded, " intervals ", sum.bounded_outside, " miss");
  CHECK(*std::ranges::max_element(medians) < 0.1);
  CHECK(median_of(medians) < 0.03);
  CHECK(sum.far_off * 20 <= sum.fitted);
  CHECK(sum.bounded_outside * 10 <= sum.bounded);
}
