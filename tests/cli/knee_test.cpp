// SPDX-License-Identifier: BSD-3-Clause
// `knee` of examples/collective-io/figure.sh: the number of aggregators beyond which more gain
// little.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;

namespace {

// The output of `knee` for time(aggregators) at `first`, twice, four times ... up to `last`.
template <class Time>
std::string knee(int first, int last, int factor, Time time) {
  const TemporaryFolder folder;
  std::string csv = "# sim\naggregators,decomposition,time_s\n128,2d,1\n";
  for (int n = last; n >= first; n /= factor)
    csv += fmt::format("{},1d,{}\n", n, time(static_cast<double>(n)));
  folder.write("points.csv", csv);
  const auto ended = run(
      {.args = {"/bin/bash", "-c",
                "source " TUTTI_SOURCE_DIR
                "/examples/collective-io/figure.sh . && csv=points.csv && knee decomposition=1d"},
       .folder = folder.path()});
  CHECK(ended.exit_code == 0);
  CHECK(ended.err == "");
  return ended.out.substr(0, ended.out.find('\n'));
}

}  // namespace

TEST_CASE("time as 1 / aggregators has no knee for any start and density of the curve") {
  const auto inverse = [](double n) { return 1000 / n; };
  for (const int first : {1, 16, 64, 512}) {
    CHECK(knee(first, 16'384, 2, inverse) == "none");
    CHECK(knee(first, 16'384, 4, inverse) == "none");
  }
  CHECK(knee(64, 4096, 2, [](double n) { return std::pow(n, -0.1); }) == "none");  // 6.7 % each
}

TEST_CASE("the knee does not depend on the start of the curve") {
  // A doubling of n saves 14 / (28 + n): 9.0% at 128, 4.9% at 256.
  const auto limited = [](double n) { return 1 + 28 / n; };
  for (const int first : {4, 16, 64, 128}) CHECK(knee(first, 16'384, 2, limited) == "256");
}

TEST_CASE("a curve that gains little from its first doubling on is flat") {
  CHECK(knee(64, 4096, 2, [](double) { return 3.0; }) == "flat");
  CHECK(knee(64, 4096, 2, [](double n) { return std::pow(n, 0.2); }) == "flat");
}

TEST_CASE("one doubling that gains little is not a knee if later ones gain again") {
  const auto step = [](double n) { return n < 512 ? 10.0 : 5000 / n; };
  CHECK(knee(64, 4096, 2, step) == "none");
}
