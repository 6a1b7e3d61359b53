// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <vector>

#include "sim/fit/line_fits.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti::studies;
using tutti::tests::exactly;

TEST_CASE("least squares recover a line, and average points that scatter") {
  const std::vector<DataPoint> exact{{0, 3}, {1, 5}, {4, 11}};
  CHECK(least_squares(exact).slope == exactly(2));
  CHECK(least_squares(exact)(10) == exactly(23));
  const std::vector<DataPoint> scattered{{0, 1}, {0, 3}, {2, 5}, {2, 7}};
  CHECK(least_squares(scattered).at_0 == exactly(2));
  CHECK(least_squares(scattered).slope == exactly(2));
}

TEST_CASE("the line at the end begins after the last bend") {
  std::vector<DataPoint> points;
  for (double x = 1; x <= 1024; x *= 2) points.push_back({x, x < 100 ? 200 : 2 * x});
  const auto line = line_at_end(points);
  REQUIRE(line);
  CHECK(line->slope == exactly(2));
  CHECK(line->points == 4);
}

TEST_CASE("two points, or three that are not on a line, do not give a line") {
  const std::vector<DataPoint> bent{{1, 1}, {2, 2}, {3, 5}};
  CHECK_FALSE(line_at_end(bent));
  CHECK_FALSE(line_at_end(std::vector<DataPoint>{{1, 1}, {2, 2}}));
  CHECK_FALSE(line_at_end({}));
}
