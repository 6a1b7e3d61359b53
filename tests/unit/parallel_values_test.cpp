// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/parallel_values.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

using namespace tutti;
using studies::values_in_parallel;

TEST_CASE("numbers of child processes are returned in order") {
  const auto square = [](std::size_t i) -> Result<double> { return static_cast<double>(i * i); };
  const auto one = values_in_parallel(37, 1, 1, square);
  const auto three = values_in_parallel(37, 3, 1, square);
  REQUIRE(one);
  REQUIRE(three);
  CHECK(one->at(36) == 36.0 * 36);
  CHECK(*three == *one);
}

TEST_CASE("few numbers and a single job are computed in this process") {
  const auto process = [](std::size_t) -> Result<double> { return getpid(); };
  const auto own = static_cast<double>(getpid());
  CHECK(values_in_parallel(5, 1, 1, process).value() == std::vector<double>(5, own));
  CHECK(values_in_parallel(4, 3, 4, process).value() == std::vector<double>(4, own));
  const auto others = values_in_parallel(5, 3, 4, process);
  REQUIRE(others);
  for (const double each : *others) CHECK(each != own);
}

TEST_CASE("the error of a number is returned") {
  for (const int jobs : {1, 3}) {
    const auto values = values_in_parallel(9, jobs, 1, [](std::size_t i) -> Result<double> {
      if (i == 4) return make_error(ErrorKind::run, "", "no fourth number");
      return 1.0;
    });
    REQUIRE(!values);
    CHECK(values.error().message == "no fourth number");
  }
}
