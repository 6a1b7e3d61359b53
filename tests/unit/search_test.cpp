// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/search.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/base/result.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies::tuning;

namespace {

std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(std::to_string(i));
  return all;
}

// Seven parameters, as in Table 3.1 of the dissertation: 11,520 combinations.
const Space& seven() {
  static const Space space({{"a", names(6), 3},
                            {"b", names(6), 4},
                            {"c", names(4), 2},
                            {"d", names(2), 1},
                            {"e", names(2), 1},
                            {"f", names(5), 2},
                            {"g", names(4), 2}});
  return space;
}

// Best at a = 4, b = 1; the others have little or no effect.
double value_of(const Combination& c) {
  return 100 + 10 * std::abs(double(c[0]) - 4) + 8 * std::abs(double(c[1]) - 1) + 0.1 * c[2] +
         3 * (1 - double(c[3])) + 1 * std::abs(double(c[5]) - 3);
}

struct Counted {
  Levels levels;
  std::size_t requested = 0;
  std::size_t batches = 0;

  Evaluations evaluations(const Space& space) {
    return {space, levels, [this](const auto& combinations, std::size_t) {
              std::vector<std::optional<double>> values;
              for (const auto& each : combinations) values.emplace_back(value_of(each));
              requested += combinations.size();
              ++batches;
              return Result(std::move(values));
            }};
  }
};

std::size_t count_evaluations(const Space& space, Method method,
                              const std::function<double(const Combination&)>& time) {
  Levels levels;
  Evaluations evaluations(space, levels, [&](const auto& combinations, std::size_t) {
    std::vector<std::optional<double>> values;
    for (const auto& each : combinations) values.emplace_back(time(each));
    return Result(std::move(values));
  });
  REQUIRE(search(evaluations, {.method = method}));
  return evaluations.count();
}

}  // namespace

TEST_CASE("a space counts its combinations, and omits invalid ones") {
  CHECK(seven().size() == 11520);
  CHECK(seven().all()[4711] == seven().at(4711));
  const Space odd({{"a", names(3)}, {"b", names(4)}},
                  [](const Combination& c, std::size_t i) { return i == 0 || c[0] == 1; });
  CHECK(odd.size() == 12);
  CHECK(odd.all().size() == 2 + 4);
  CHECK(odd.count() == 6);
  CHECK(odd.canonical({2, 3}) == Combination{2, 0});
  CHECK(odd.canonical({1, 3}) == Combination{1, 3});
  CHECK(odd.changes({1, 3}) == 2);
}

TEST_CASE("parameters that are not fixed vary, and inapplicable ones stay at their default") {
  const Space space({{"a", names(3)}, {"b", names(4), 3}, {"c", names(2)}},
                    [](const Combination& c, std::size_t i) { return i != 1 || c[2] == 1; });
  const auto fixed_at = [&](const std::map<std::size_t, std::uint32_t>& values) {
    Box box(space);
    for (const auto& [parameter, value] : values) box.fix(parameter, value);
    return box.all();
  };
  CHECK(fixed_at({{1, 3}, {2, 0}}) == std::vector<Combination>{{0, 3, 0}, {1, 3, 0}, {2, 3, 0}});
  CHECK(fixed_at({{0, 1}, {2, 0}}) == std::vector<Combination>{{1, 3, 0}});
  CHECK(fixed_at({{0, 1}}).size() == 1 + 4);
  CHECK(fixed_at({}).size() == 3 * (1 + 4));
}

TEST_CASE("a combination is evaluated once") {
  Counted counted;
  auto evaluations = counted.evaluations(seven());
  const auto combination = seven().defaults();
  REQUIRE(evaluations.evaluate({combination, combination}));
  REQUIRE(evaluations.evaluate({combination}));
  CHECK(counted.requested == 1);
  CHECK(evaluations.count() == 1);
}

TEST_CASE("brute force finds the best of all") {
  Counted counted;
  auto evaluations = counted.evaluations(seven());
  REQUIRE(search(evaluations, {.method = Method::brute_force}));
  CHECK(evaluations.count() == 11520);
  CHECK(*evaluations.best()->value == 100);
}

TEST_CASE("2^k evaluates the corners, and brute force of the important parameters, as predicted") {
  Counted counted;
  auto evaluations = counted.evaluations(seven());
  const auto outcome = search(evaluations, {.method = Method::factorial});
  REQUIRE(outcome);
  REQUIRE(outcome->effects.size() == 7);
  // Means over the ends of a: 10 * 4 and 10 * 1; half of the difference is -15.
  CHECK(outcome->effects[0].effect == tests::exactly(-15));
  CHECK(outcome->effects[0].part == tests::exactly(225.0 / 225));
  CHECK(outcome->effects[1].effect == tests::exactly(12));
  CHECK(outcome->effects[1].part == tests::exactly(144.0 / 225));
  CHECK_FALSE(outcome->effects[1].is_frozen);
  CHECK(outcome->effects[4].effect == 0);
  CHECK(outcome->effects[4].is_frozen);
  // 128 corners, 36 combinations of a and b of which 4 are corners.
  CHECK(evaluations.count() == 128 + 36 - 4);
  CHECK(predicted_evaluations(seven(), outcome->effects) == evaluations.count());
  // f is frozen at its end, its best value is between.
  CHECK(*evaluations.best()->value == tests::exactly(101));
}

TEST_CASE("2^k uses all names in its corners, as no name represents the others") {
  // Names 0..3 take 120, 100, 33, 119; a number from 0 to 5 has more effect than the first and last
  // name.
  const Space space({{"name", names(4), 0, false}, {"number", names(6), 0}});
  const Levels levels;
  Evaluations evaluations(space, levels, [](const auto& combinations, std::size_t) {
    constexpr double of_name[] = {120, 100, 33, 119};
    std::vector<std::optional<double>> values;
    for (const auto& each : combinations) values.emplace_back(of_name[each[0]] + 4 * each[1]);
    return Result(std::move(values));
  });
  const auto outcome = search(evaluations, {.method = Method::factorial});
  REQUIRE(outcome);
  CHECK(*evaluations.best()->value == 33);
  CHECK(evaluations.best()->combination == Combination{2, 0});
  // The deviation of 120, 100, 33, 119 from their mean; half of 4 * 5.
  CHECK(outcome->effects[0].effect == tests::exactly(std::sqrt(1263.5)));
  CHECK(outcome->effects[1].effect == tests::exactly(10));
  CHECK_FALSE(outcome->effects[0].is_frozen);
  CHECK(outcome->effects[1].is_frozen);
  CHECK(evaluations.count() == 4 * 2);
  CHECK(predicted_evaluations(space, outcome->effects) == evaluations.count());
}

TEST_CASE("of equal corners 2^k freezes a parameter at its default") {
  const Space space({{"a", names(3), 2}, {"b", names(4), 3}});
  const Levels levels;
  Evaluations evaluations(space, levels, [](const auto& combinations, std::size_t) {
    std::vector<std::optional<double>> values;
    for (const auto& each : combinations) values.emplace_back(1.0 + each[0]);
    return Result(std::move(values));
  });
  const auto outcome = search(evaluations, {.method = Method::factorial});
  REQUIRE(outcome);
  CHECK(outcome->effects[1].frozen_at == 3);
}

TEST_CASE("the attribute-based search finds parameters one by one") {
  Counted counted;
  auto evaluations = counted.evaluations(seven());
  const auto outcome = search(evaluations, {.method = Method::attribute});
  REQUIRE(outcome);
  CHECK(*evaluations.best()->value == 100);
  CHECK(evaluations.count() < 80);
  CHECK(outcome->remarks.size() == 6);  // g has no others left to win with
  CHECK(outcome->remarks[0] == "a is fixed at 4");
}

// The rules are those of ADCL_twok.c and ADCL_hypothesis.c in OTPO's repository at 0fb5652.
TEST_CASE("2^k compares main effects with interactions, as in ADCL") {
  // -1 at the first value, 1 at the last.
  const auto sign = [](std::uint32_t value, double count) { return 2 * value / (count - 1) - 1; };
  const Space flat({{"a", names(3)}, {"b", names(4)}});
  // Squares: a 36, b 4, ab 25. The largest is a's, and b has 4/36 < 0.5: frozen. Four corners, and
  // the middle value of a.
  CHECK(count_evaluations(flat, Method::factorial, [&](const Combination& c) {
          const double a = sign(c[0], 3), b = sign(c[1], 4);
          return 100 + 6 * a + 2 * b + 5 * a * b;
        }) == 4 + 1);
  // Squares: a 4, b 1, ab 64. The largest is the interaction's, and a has 4/64, b 1/64: both
  // frozen. Relative to the main effects alone a would stay, and its middle value would be
  // evaluated.
  CHECK(count_evaluations(flat, Method::factorial, [&](const Combination& c) {
          const double a = sign(c[0], 3), b = sign(c[1], 4);
          return 100 + 2 * a + b + 8 * a * b;
        }) == 4);
  // Squares: a 36, b 1, c 25, abc 64. a has 36/64 >= 0.5: stays; c 25/64: frozen, but relative to
  // a's 36 it would stay with 3 * 5 - 4 evaluations more. Eight corners, and the middle of a.
  const Space cube({{"a", names(3)}, {"b", names(2)}, {"c", names(5)}});
  CHECK(count_evaluations(cube, Method::factorial, [&](const Combination& v) {
          const double a = sign(v[0], 3), b = sign(v[1], 2), c = sign(v[2], 5);
          return 100 + 6 * a + b + 5 * c + 8 * a * b * c;
        }) == 8 + 1);
  // Names: all three values of a are in the corners. Main effect of a: 0, 0, 3 around their mean 1,
  // square (1 + 1 + 4) / 3 = 2; of b: 0. Interaction: 0, -6, 6 with b's sign, square
  // (0 + 36 + 36) / 3 = 24. a has 2/24, b 0: both frozen. Relative to a's own square it would stay
  // with the middle value of b not evaluated either, so `effects` shows the difference.
  const Space named({{"a", names(3), 0, false}, {"b", names(3)}});
  Levels levels;
  Evaluations evaluations(named, levels, [&](const auto& combinations, std::size_t) {
    constexpr double main[] = {0, 0, 3}, mixed[] = {0, -6, 6};
    std::vector<std::optional<double>> times;
    for (const auto& c : combinations)
      times.emplace_back(100 + main[c[0]] + mixed[c[0]] * sign(c[1], 3));
    return Result(std::move(times));
  });
  const auto outcome = search(evaluations, {.method = Method::factorial});
  REQUIRE(outcome);
  CHECK(*outcome->effects[0].part == tests::close_to(2.0 / 24, 1e-12));
  CHECK(outcome->effects[0].is_frozen);
  CHECK(evaluations.count() == 6);
}

TEST_CASE("attribute search lowers its confidence after a lost comparison, as in ADCL") {
  // Time of a's values 0 and 1 by b: `winners` has the faster one.
  const auto count = [](const std::string& winners) {
    const Space space({{"a", names(2)}, {"b", names(winners.size())}});
    return count_evaluations(space, Method::attribute, [&](const Combination& c) {
      return 10 + c[1] + (c[0] == std::uint32_t(winners[c[1]] - '0') ? 0.0 : 0.5);
    });
  };
  // Confidence in 0: 1, 2. Two comparisons are 4 evaluations; with a = 0 two values of b are left.
  CHECK(count("0011") == 4 + 2);
  // 1, then 0 by the loss; the next winner, 0, is the hypothesis: 1, 2. Four comparisons are 8
  // evaluations; with a = 0 one value of b is left. The second win alone would give 6 + 2.
  CHECK(count("01000") == 8 + 1);
  // Confidence in 0: 1, 0; in 1: 1, 2. 8 evaluations are all, where two wins of 1 gave 6 + 1.
  CHECK(count("0111") == 8);
  // 1, 0, 1, 0: no value is fixed, and brute force evaluates all.
  CHECK(count("0101") == 8);
}

TEST_CASE("successive halving spends most evaluations on small problems") {
  Counted counted{.levels = {{0.01, 0.1, 1}}};
  auto evaluations = counted.evaluations(seven());
  const auto outcome =
      search(evaluations, {.method = Method::halving, .budget = 900, .keep_one_of = 3});
  REQUIRE(outcome);
  CHECK(evaluations.count() == 900 + 300 + 100);
  CHECK(evaluations.cost() == tests::exactly(9 + 30 + 100));
  CHECK(*evaluations.best()->value <= 105);
  CHECK(outcome->remarks.size() == 2);
}

TEST_CASE("without a budget all levels of halving cost a tenth, and find a near-best combination") {
  Counted counted{.levels = {{0.05, 0.2, 1}}};
  auto evaluations = counted.evaluations(seven());
  REQUIRE(search(evaluations, {.method = Method::halving}));
  CHECK(evaluations.cost() <= 200);
  CHECK(evaluations.cost() > 150);
  CHECK(*evaluations.best()->value <= 102);
}

TEST_CASE("combinations that fail are never the best") {
  const Space space({{"a", names(4)}, {"b", names(4)}});
  const Levels levels;
  for (const Method method : {Method::brute_force, Method::attribute, Method::factorial,
                              Method::halving, Method::model}) {
    Evaluations evaluations(space, levels, [](const auto& combinations, std::size_t) {
      std::vector<std::optional<double>> values;
      for (const auto& each : combinations)
        values.push_back(each[0] == 0 ? std::nullopt : std::optional<double>(each[0] + each[1]));
      return Result(std::move(values));
    });
    CAPTURE(method_name(method));
    REQUIRE(search(evaluations, {.method = method}));
    REQUIRE(evaluations.best());
    CHECK(*evaluations.best()->value <= 3);
    CHECK(evaluations.best()->combination[0] > 0);
  }
}

TEST_CASE("main effects use only corners whose counterparts did not fail") {
  // The time is 10 + 4 a + b, but the corners with b = 1 fail, except one.
  const Space space({{"a", names(2)}, {"b", names(2)}, {"c", names(2)}});
  const Levels levels;
  const auto fails = [](const Combination& each) { return each[1] == 1 && each[0] + each[2] > 0; };
  Evaluations evaluations(
      space, levels,
      [&](const auto& combinations, std::size_t) {
        std::vector<std::optional<double>> values;
        for (const auto& each : combinations)
          values.push_back(fails(each) ? std::nullopt
                                       : std::optional<double>(10 + 4 * each[0] + each[1]));
        return Result(std::move(values));
      },
      [&](const Combination& each, std::size_t) { return fails(each); });
  const auto outcome = search(evaluations, {.method = Method::factorial});
  REQUIRE(outcome);
  CHECK(outcome->effects[0].effect.value() == tests::exactly(2));
  CHECK(outcome->effects[1].effect.value() == tests::exactly(0.5));
  CHECK(outcome->effects[2].effect.value() == 0);
  CHECK(std::ranges::count_if(evaluations.history(), &Evaluated::has_failed) == 3);
}

TEST_CASE("an effect without complete corners is not determined, and its parameter not frozen") {
  const Space space({{"a", names(2)}, {"b", names(3)}});
  const Levels levels;
  Evaluations evaluations(
      space, levels,
      [](const auto& combinations, std::size_t) {
        std::vector<std::optional<double>> values;
        for (const auto& each : combinations)
          values.push_back(each[1] == 2 ? std::nullopt : std::optional<double>(5 + each[0]));
        return Result(std::move(values));
      },
      [](const Combination& each, std::size_t) { return each[1] == 2; });
  const auto outcome = search(evaluations, {.method = Method::factorial, .threshold = 2});
  REQUIRE(outcome);
  CHECK(outcome->effects[0].is_frozen);
  CHECK_FALSE(outcome->effects[1].effect);
  CHECK_FALSE(outcome->effects[1].part);
  CHECK_FALSE(outcome->effects[1].is_frozen);
}

TEST_CASE("a comparison of which a simulation failed fixes no value") {
  const Space space({{"a", names(2), 1}, {"b", names(4)}});
  const Levels levels;
  for (const bool counts_as_failed : {false, true}) {
    Evaluations evaluations(
        space, levels,
        [](const auto& combinations, std::size_t) {
          std::vector<std::optional<double>> values;
          for (const auto& each : combinations)
            values.push_back(each[0] == 0 ? std::nullopt : std::optional<double>(1 + each[1]));
          return Result(std::move(values));
        },
        [=](const Combination& each, std::size_t) { return counts_as_failed && each[0] == 0; });
    const auto outcome = search(evaluations, {.method = Method::attribute});
    REQUIRE(outcome);
    CHECK(outcome->remarks.size() == (counts_as_failed ? 0 : 1));
  }
}

TEST_CASE("an error ends a search, and too large a space is rejected") {
  const Levels levels;
  Evaluations broken(seven(), levels,
                     [](const auto&, std::size_t) -> Result<std::vector<std::optional<double>>> {
                       return make_error(ErrorKind::run, "", "no");
                     });
  CHECK_FALSE(bool(search(broken, {.method = Method::model})));
  std::vector<TunedParameter> many(30, {"p", names(10)});
  const Space large(many);
  Counted counted;
  auto evaluations = counted.evaluations(large);
  CHECK_FALSE(bool(search(evaluations, {.method = Method::brute_force})));
  CHECK_FALSE(bool(search(evaluations, {.method = Method::factorial})));
  CHECK(parse_method("halving") == Method::halving);
  CHECK_FALSE(parse_method("guess"));
}

TEST_CASE("a factorial search is limited to the number of corners of brute force") {
  const auto make_space = [](std::size_t parameters) {
    std::vector<TunedParameter> all;
    for (std::size_t i = 0; i < parameters; ++i) all.push_back({std::to_string(i), names(2), 0});
    return Space(std::move(all));
  };
  Levels levels;
  const auto searched = [&](const Space& space) {
    Evaluations evaluations(space, levels, [](const auto& combinations, std::size_t) {
      std::vector<std::optional<double>> values;
      for (const auto& each : combinations) values.emplace_back(each[0] == 0 ? 2 : 1);
      return Result(std::move(values));
    });
    return search(evaluations, {.method = Method::factorial});
  };
  const Space seventeen = make_space(17);
  const auto outcome = searched(seventeen);
  REQUIRE(outcome);
  CHECK(outcome->effects.size() == 17);
  for (const std::size_t parameters : {20, 45}) {
    const Space many = make_space(parameters);
    const auto rejected = searched(many);
    REQUIRE_FALSE(bool(rejected));
    CHECK(rejected.error().message.find("for the corners") != std::string::npos);
  }
}
