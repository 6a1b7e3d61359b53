// SPDX-License-Identifier: BSD-3-Clause
// The model-guided search, conditions of parameters, and equal values.
#include <doctest/doctest.h>

#include <cmath>

#include "sim/tune/equal_values.hpp"
#include "sim/tune/search.hpp"

using namespace tutti;
using namespace tutti::studies::tuning;

namespace {

using Value = double (*)(const Combination&);

Evaluations evaluations_of(const Space& space, Value value) {
  static const Levels whole;
  return {space, whole, [value](const auto& combinations, std::size_t) {
            std::vector<std::optional<double>> values;
            for (const auto& each : combinations) values.emplace_back(value(each));
            return Result(std::move(values));
          }};
}

std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(std::to_string(i + 1));
  return all;
}

// Parameters of a broadcast: eager limit, algorithm, segment size, fan-out of algorithms 2 and 4.
const Space& broadcast() {
  static const Space space(
      {{"eager", names(6), 3},
       {"algorithm", names(6), 0, false},
       {"segment", {"0", "4", "16", "64"}, 0},
       {"fanout", names(3), 1}},
      [](const Combination& c, std::size_t i) { return i != 3 || c[1] == 2 || c[1] == 4; });
  return space;
}

// Algorithm 5 has no segments, and takes about the time of the best one: 4, in small segments.
double broadcast_s(const Combination& c) {
  const double eager = c[0] < 2 ? 1.02 : 1;
  if (c[1] == 5) return 1.06 * eager;
  const double segments[] = {2.3, 1, 1.4, 1.5};
  const double algorithms[] = {4, 3, 1.5, 3.7, 1};
  const double fanout = c[1] == 2 ? 1.4 - 0.2 * c[3] : c[1] == 4 ? 1 + 0.25 * c[3] * c[3] : 1;
  return segments[c[2]] * algorithms[c[1]] * fanout * eager;
}

// As in Table 3.1 of the dissertation: 11,520 combinations; the last two have no effect.
const Space& seven() {
  static const Space space({{"a", names(6), 3},
                            {"b", names(6), 4},
                            {"c", names(4), 2},
                            {"d", names(2), 1},
                            {"e", names(2), 1, false},
                            {"f", names(5), 2},
                            {"g", names(4), 2}});
  return space;
}

double seven_s(const Combination& c) {
  return std::exp(0.3 * std::abs(double(c[0]) - 4)) *
             (1 + 0.4 * std::abs(double(c[1]) - 1) * (c[4] == 0 ? 1 : 0.5)) +
         0.1 * c[2] + 0.2 * c[3];
}

void check_close(const Space& space, Value value, std::uint64_t seeds) {
  auto all = evaluations_of(space, value);
  REQUIRE(search(all, {.method = Method::brute_force}));
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    auto few = evaluations_of(space, value);
    REQUIRE(search(few, {.method = Method::model, .seed = seed}));
    CHECK(few.count() <= all.count() / 10);
    CHECK(*few.best()->value <= 1.02 * *all.best()->value);
  }
}

}  // namespace

TEST_CASE("the model-guided search is within 2% of the best after a tenth of the evaluations") {
  check_close(broadcast(), broadcast_s, 5);
  check_close(seven(), seven_s, 1);
}

TEST_CASE("the same seed gives the same search, and any batch size keeps the budget") {
  for (const std::size_t batch : {1, 50}) {
    const SearchOptions options{.method = Method::model, .seed = 3, .budget = 30, .batch = batch};
    auto first = evaluations_of(seven(), seven_s), second = evaluations_of(seven(), seven_s);
    REQUIRE(search(first, options));
    REQUIRE(search(second, options));
    CHECK(first.count() <= 30);
    REQUIRE(first.count() == second.count());
    for (std::size_t i = 0; i < first.count(); ++i)
      CHECK(first.history()[i].combination == second.history()[i].combination);
  }
}

TEST_CASE("a search with constant times stops early, and recommends no change") {
  auto evaluations = evaluations_of(seven(), [](const Combination&) { return 1.0; });
  REQUIRE(search(evaluations, {.method = Method::model}));
  CHECK(evaluations.count() < 100);
  CHECK(evaluations.best()->combination == seven().defaults());
}

TEST_CASE("spaces of billions of combinations are searched as well") {
  const Space large(std::vector<TunedParameter>(9, {"p", names(12)}));
  auto evaluations = evaluations_of(large, [](const Combination& c) {
    double sum = 1;
    for (const auto each : c) sum += 0.1 * std::abs(double(each) - 7);
    return sum;
  });
  const auto first = evaluations.evaluate({large.defaults()});
  REQUIRE(first);
  REQUIRE(search(evaluations, {.method = Method::model, .budget = 60}));
  CHECK(evaluations.count() <= 60);
  CHECK(*evaluations.best()->value < 0.6 * *first->front().value);
}

TEST_CASE("of equal combinations the one nearest to the defaults is the best") {
  auto evaluations = evaluations_of(
      seven(), [](const Combination& c) { return c[0] == 5 ? 1.0 + 1e-12 * c[6] : 2.0; });
  const auto defaults = seven().defaults();
  auto far = defaults, near = defaults;
  far[0] = near[0] = 5;
  far[6] = 0;
  REQUIRE(evaluations.evaluate({far, near}));
  CHECK(evaluations.best()->combination == near);
}

TEST_CASE("equal values reveal parameters without effect on an algorithm") {
  const auto evaluated = [](Combination c) { return Evaluated{c, broadcast_s(c)}; };
  const EqualValues equal(broadcast(), {evaluated({3, 5, 0, 1}), evaluated({3, 5, 2, 1}),
                                        evaluated({4, 5, 1, 1}), evaluated({3, 3, 0, 1})});
  CHECK(equal.repeats({4, 5, 2, 1}));
  CHECK(equal.repeats({3, 5, 3, 1}));        // three segment sizes were the same
  CHECK_FALSE(equal.repeats({0, 5, 0, 1}));  // another eager limit
  CHECK_FALSE(equal.repeats({3, 3, 2, 1}));  // another algorithm
  const EqualValues careful(broadcast(),
                            {evaluated({3, 5, 0, 1}), evaluated({3, 5, 2, 1}),
                             evaluated({4, 5, 1, 1}), evaluated({3, 3, 0, 1})},
                            EqualValues::Guess::careful);
  CHECK(careful.repeats({4, 5, 2, 1}));
  CHECK_FALSE(careful.repeats({3, 5, 3, 1}));  // beyond the three
  CHECK(equal.same({4, 5, 2, 1}, {3, 5, 0, 1}));
  CHECK_FALSE(equal.same({3, 5, 0, 1}, {3, 3, 0, 1}));
}

TEST_CASE("2^k with conditions: equivalent corners count once, as predicted") {
  for (const double threshold : {0.0, 0.1, 0.5, 1.0}) {
    CAPTURE(threshold);
    auto evaluations = evaluations_of(broadcast(), broadcast_s);
    const auto outcome = search(evaluations, {.method = Method::factorial, .threshold = threshold});
    REQUIRE(outcome);
    CHECK(outcome->effects.size() == 4);
    CHECK(outcome->effects[1].part > 0);
    CHECK(predicted_evaluations(broadcast(), outcome->effects) == evaluations.count());
    CHECK(evaluations.best());
  }
}

TEST_CASE("the attribute-based search continues if a condition is false") {
  auto evaluations = evaluations_of(broadcast(), broadcast_s);
  REQUIRE(search(evaluations, {.method = Method::attribute}));
  REQUIRE(evaluations.best());
  for (const auto& each : evaluations.history()) CHECK(broadcast().allows(each.combination));
  CHECK(*evaluations.best()->value < 2 * broadcast_s({3, 4, 1, 0}));
}
