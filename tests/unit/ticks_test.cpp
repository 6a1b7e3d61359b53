// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/plots/ticks.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::tests;
using reports::Axis;
using reports::Quantity;

namespace {

std::string labels(const Axis& axis) {
  std::string text;
  for (const auto& tick : axis.ticks)
    if (!tick.label.empty()) text += (text.empty() ? "" : " | ") + tick.label;
  return text;
}

std::vector<Cell> powers_of_two(int first, int last) {
  std::vector<Cell> cells;
  for (int power = first; power <= last; ++power) cells.emplace_back(std::int64_t{1} << power);
  return cells;
}

}  // namespace

TEST_CASE("times on a log scale have suitable units") {
  CHECK(labels(reports::value_axis(Quantity::seconds, "time", true, 0.9e-6, 1.2)) ==
        "1 µs | 10 µs | 100 µs | 1 ms | 10 ms | 100 ms | 1 s");
  CHECK(labels(reports::value_axis(Quantity::seconds, "time", true, 90e-6, 3e-3)) ==
        "100 µs | 200 µs | 500 µs | 1 ms | 2 ms");
}

TEST_CASE("a log scale that contains no power of ten has evenly spaced marks") {
  CHECK(labels(reports::value_axis(Quantity::seconds, "time", true, 3.1e-3, 3.6e-3)) ==
        "3.1 ms | 3.2 ms | 3.3 ms | 3.4 ms | 3.5 ms | 3.6 ms");
}

TEST_CASE("the unit of a linear axis is in its label") {
  const Axis axis = reports::value_axis(Quantity::seconds, "time", false, 0, 5.3e-3);
  CHECK(axis.label == "time (ms)");
  CHECK(labels(axis) == "0 | 1 | 2 | 3 | 4 | 5");
  CHECK(reports::value_axis(Quantity::number, "ratio", false, 0, 3).label == "ratio");
}

TEST_CASE("marks of a narrow range far from 0 are distinct and finite in number") {
  CHECK(labels(reports::value_axis(Quantity::number, "x", false, 1e7, 1e7 + 5)) ==
        "10000000 | 10000001 | 10000002 | 10000003 | 10000004 | 10000005");
  const double far = 1e9 + 1e-6;
  for (const double high : {std::nextafter(far, 2e9), std::nextafter(1e300, 2e300), 1e300}) {
    const double low = high > 1e299 ? 1e300 * (1 - 1e-16) : far;
    const Axis axis = reports::value_axis(Quantity::number, "x", false, low, high);
    CHECK(axis.ticks.size() <= 12);
    for (std::size_t i = 1; i < axis.ticks.size(); ++i)
      CHECK(axis.ticks[i].at > axis.ticks[i - 1].at);
  }
}

TEST_CASE("sizes have binary units") {
  CHECK(labels(reports::value_axis(Quantity::bytes, "size", true, 1000, 5e6)) ==
        "1 KiB | 4 KiB | 16 KiB | 64 KiB | 256 KiB | 1 MiB | 4 MiB");
  CHECK(labels(reports::point_axis("message_bytes", powers_of_two(0, 22), true, 8)) ==
        "1 B | 8 B | 64 B | 512 B | 4 KiB | 32 KiB | 256 KiB | 2 MiB");
}

TEST_CASE("points with unequal steps have marks if all labels fit, else round numbers do") {
  const Axis axis = reports::point_axis(
      "procs", {std::int64_t{100}, std::int64_t{144}, std::int64_t{150}, std::int64_t{576}}, false,
      8);
  CHECK(labels(axis) == "100 | 200 | 300 | 400 | 500");
  CHECK(axis.high == 576);
  CHECK_FALSE(axis.marks_at_points);
  CHECK(labels(reports::point_axis(
            "procs", {std::int64_t{100}, std::int64_t{144}, std::int64_t{576}}, false, 11)) ==
        "100 | 144 | 576");
  const Axis texts =
      reports::point_axis("mpi/eager_limit", {std::string("4KiB"), std::string("12KiB")}, true, 8);
  CHECK(labels(texts) == "4KiB | 12KiB");
  CHECK(texts.high == exactly(12288));
}

TEST_CASE("an axis with one value has a mark") {
  CHECK(labels(reports::point_axis("procs", {std::int64_t{8}}, true, 8)) == "8");
  CHECK(labels(reports::category_axis("map", {std::string("block"), std::string("cyclic")})) ==
        "block | cyclic");
}

TEST_CASE("measured sizes without a pattern have marks at powers of two") {
  std::vector<Cell> sizes;
  for (const int size :
       {1, 3, 6, 13, 27, 37, 64, 91, 128, 218, 640, 1250, 3000, 6997, 40000, 65000})
    sizes.emplace_back(std::int64_t{size});
  const Axis axis = reports::point_axis("message_bytes", sizes, true, 8);
  CHECK(labels(axis) == "1 B | 4 B | 16 B | 64 B | 256 B | 1 KiB | 4 KiB | 16 KiB");
  CHECK(axis.low == 1);
  CHECK(axis.high == 65000);
}

TEST_CASE("many evaluations have marks at powers of ten") {
  std::vector<Cell> numbers;
  for (int number = 1; number <= 240; ++number) numbers.emplace_back(std::int64_t{number});
  CHECK(labels(reports::point_axis("evaluation", numbers, true, 8)) == "1 | 10 | 100");
  CHECK(labels(reports::point_axis("evaluation", numbers, false, 8)) == "50 | 100 | 150 | 200");
}

TEST_CASE("times of points have the units of other axes") {
  CHECK(labels(reports::point_axis("measured_s", {4.61e-6, 9.7e-6, 14.1e-6}, true, 8)) ==
        "4.61 µs | 9.7 µs | 14.1 µs");
}

TEST_CASE("the last of evenly spaced points has a label if possible") {
  CHECK(labels(reports::point_axis("message_bytes", powers_of_two(0, 20), true, 8)) ==
        "1 B | 16 B | 256 B | 4 KiB | 64 KiB | 1 MiB");
}

TEST_CASE("bandwidths have decimal units, fractions are in percent") {
  CHECK(labels(reports::value_axis(Quantity::rate, "bandwidth", true, 0.6e6, 4e9)) ==
        "1 MB/s | 10 MB/s | 100 MB/s | 1 GB/s");
  const Axis axis = reports::value_axis(Quantity::fraction, "residual", false, -0.011, 0.011);
  CHECK(axis.label == "residual (%)");
  CHECK(labels(axis) == "-1 | -0.5 | 0 | 0.5 | 1");
}
