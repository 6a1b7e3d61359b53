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

TEST_CASE("points with unequal steps keep their positions, and labels do not overlap") {
  const Axis axis = reports::point_axis(
      "procs", {std::int64_t{100}, std::int64_t{144}, std::int64_t{150}, std::int64_t{576}}, false,
      8);
  CHECK(labels(axis) == "100 | 576");
  CHECK(axis.ticks[1].at == 144);
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
