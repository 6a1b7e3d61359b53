// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/precise_time.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/result.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies;
using tests::close_to;

TEST_CASE("the interval is Student's: t(0.975; 4) = 2.7764") {
  const std::vector<Seconds> times{9, 10, 10, 10, 11};
  const auto mean = mean_with_interval(times);
  CHECK(mean.mean_s == 10);
  // s = sqrt(2/4), over sqrt(5).
  CHECK(mean.half_width == close_to(2.776445 * 0.7071068 / 2.2360680 / 10, 1e-6));
  CHECK(mean.repetitions == 5);
}

TEST_CASE("without noise a call is simulated once") {
  int calls = 0;
  const auto time = precise_time(false, [&](int) -> Result<Seconds> { return double(++calls); });
  CHECK(time->mean_s == 1);
  CHECK(time->repetitions == 1);
  CHECK(calls == 1);
}

TEST_CASE("with noise a call is repeated until the mean is known within 2.5%") {
  const auto noisy = [](double amount) {
    return precise_time(true, [amount](int r) -> Result<Seconds> {
      return 1 + amount * (random_uniform(7, 0, static_cast<std::uint64_t>(r)) - 0.5);
    });
  };
  const auto quiet = noisy(0.01), loud = noisy(1);
  CHECK(quiet->repetitions == least_repetitions);
  CHECK(loud->repetitions > 100);
  CHECK(loud->repetitions < most_repetitions);
  CHECK(loud->is_precise());
  CHECK(loud->mean_s == close_to(1, 0.03));
}

TEST_CASE("repetitions are limited, and the precision of the mean is reported") {
  const auto wild =
      precise_time(true, [](int r) -> Result<Seconds> { return r % 2 == 0 ? 1000.0 : 1.0; });
  CHECK(wild->repetitions == most_repetitions);
  CHECK_FALSE(wild->is_precise());
}

TEST_CASE("an error ends the repetitions, and the time is transferred as a row") {
  const auto failed = precise_time(
      true, [](int) -> Result<Seconds> { return make_error(ErrorKind::run, "", "deadlock"); });
  CHECK_FALSE(bool(failed));
  const auto back =
      precise_time_in(row_of({.mean_s = 3e-6, .repetitions = 12, .half_width = 0.01}));
  CHECK(back.mean_s == 3e-6);
  CHECK(back.repetitions == 12);
  CHECK(back.half_width == 0.01);
}
