// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "sim/reports/plots/axis.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::tests;
using reports::Axis;
using reports::Quantity;

namespace {

std::string labels(const Axis& axis) {
  std::string text;
  for (const auto& tick : axis.ticks) text += (text.empty() ? "" : " | ") + tick.label;
  return text;
}

std::vector<Cell> whole_numbers(std::initializer_list<std::int64_t> numbers) {
  return {numbers.begin(), numbers.end()};
}

}  // namespace

TEST_CASE("points with equal steps have a tick each, which Vega labels if there is room") {
  const Axis sizes =
      reports::point_axis("message_bytes", whole_numbers({1, 32, 1024, 32768}), true);
  CHECK(labels(sizes) == "1 B | 32 B | 1 KiB | 32 KiB");
  CHECK(sizes.is_binary);
  CHECK(sizes.low == 1);
  CHECK(sizes.high == 32768);
  std::vector<Cell> procs;
  for (std::int64_t count = 1; count <= 20; ++count) procs.emplace_back(count);
  CHECK(reports::point_axis("procs", procs, false).ticks.size() == 20);
}

TEST_CASE("few points have a tick each, many points without a pattern have round numbers") {
  CHECK(labels(reports::point_axis("procs", whole_numbers({100, 144, 576}), false)) ==
        "100 | 144 | 576");
  const Axis axis = reports::point_axis(
      "message_bytes", whole_numbers({1, 3, 6, 13, 27, 37, 64, 91, 128, 218, 640, 65000}), true);
  CHECK(axis.ticks.empty());
  CHECK(axis.is_binary);
  CHECK(axis.low == 1);
  CHECK(axis.high == 65000);
  std::vector<Cell> evaluations;
  for (std::int64_t number = 1; number <= 240; ++number) evaluations.emplace_back(number);
  CHECK(reports::point_axis("evaluation", evaluations, false).ticks.empty());
  CHECK_FALSE(reports::point_axis("evaluation", evaluations, true).is_binary);
}

TEST_CASE("numbers of processes that are powers of two have a binary axis") {
  CHECK(reports::point_axis("procs", whole_numbers({2, 8, 64}), true).is_binary);
  CHECK_FALSE(reports::point_axis("procs", whole_numbers({2, 6, 64}), true).is_binary);
}

TEST_CASE("texts with a unit are numbers on an axis, and keep their words") {
  const Axis texts =
      reports::point_axis("mpi/eager_limit", {std::string("4KiB"), std::string("12KiB")}, true);
  CHECK(labels(texts) == "4KiB | 12KiB");
  CHECK(texts.high == exactly(12288));
}

TEST_CASE("points that a log scale cannot show have no tick") {
  CHECK(labels(reports::point_axis("procs", whole_numbers({0, 8}), true)) == "8");
}

TEST_CASE("categories have equal distances") {
  const Axis axis = reports::category_axis("map", {std::string("block"), std::string("cyclic")});
  CHECK(labels(axis) == "block | cyclic");
  CHECK(axis.low == exactly(0.5));
  CHECK(axis.high == exactly(2.5));
}

TEST_CASE("axes of ratios and sizes are binary") {
  CHECK(reports::ratio_axis("time / best time", 0.5, 2).is_binary);
  CHECK(reports::value_axis(Quantity::bytes, "size", true, 1000, 5e6).is_binary);
  CHECK_FALSE(reports::value_axis(Quantity::seconds, "time", true, 1e-6, 1).is_binary);
}
