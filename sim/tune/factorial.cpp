// SPDX-License-Identifier: BSD-3-Clause
// 2^k factorial as in ADCL (OTPO's default): evaluates all corners, the first and the last value of
// each parameter; computes effects by the sign table, and the squares of main effects relative to
// the largest square of all, interactions included. Two names do not represent other names: a
// parameter with names as values has all of them in the corners. A parameter below the threshold is
// frozen at its value in the best corner; brute force evaluates the others. If the condition of a
// parameter is false in a corner, its default is simulated as the corner's value, and its sign in
// the table does not change. A corner without a time is omitted together with the corners that
// differ from it in the parameter alone, since means over different corners do not show the
// parameter's effect; interactions then do not count.

#include "sim/base/common.hpp"
#include "sim/tune/search.hpp"

namespace tutti::studies::tuning {
namespace {

// A parameter with more than one value, and its values in the corners.
struct Factor {
  std::size_t parameter = 0;
  std::vector<std::uint32_t> levels;
};

std::vector<std::uint32_t> corner_levels(const TunedParameter& parameter) {
  const auto count = static_cast<std::uint32_t>(parameter.values.size());
  if (parameter.is_ordered) return {0, count - 1};
  std::vector<std::uint32_t> all;
  for (std::uint32_t value = 0; value < count; ++value) all.push_back(value);
  return all;
}

std::vector<Factor> find_factors(const Space& space) {
  std::vector<Factor> factors;
  for (std::size_t i = 0; i < space.dimensions(); ++i)
    if (space.parameters()[i].values.size() > 1)
      factors.push_back({i, corner_levels(space.parameters()[i])});
  return factors;
}

// Saturates like Space::size.
std::size_t corner_count(const std::vector<Factor>& factors) {
  std::size_t count = 1;
  for (const auto& factor : factors)
    count = std::min(Space::most_combinations, count * factor.levels.size());
  return count;
}

std::vector<Combination> corners(const Space& space, const std::vector<Factor>& factors) {
  std::vector<Combination> all;
  for (std::size_t corner = 0; corner < corner_count(factors); ++corner) {
    Combination combination(space.dimensions(), 0);
    std::size_t rest = corner;
    for (const auto& factor : factors) {
      combination[factor.parameter] = factor.levels[rest % factor.levels.size()];
      rest /= factor.levels.size();
    }
    all.push_back(std::move(combination));
  }
  return all;
}

// Mean by value of one parameter, over the settings of the others for which all of its values have
// a time; empty if there are none. `stride`: distance of corners that differ in its next value
// only.
std::vector<double> level_means(const std::vector<Evaluated>& corners, const Factor& factor,
                                std::size_t stride) {
  const std::size_t levels = factor.levels.size();
  std::vector<double> sums(levels);
  double settings = 0;
  for (std::size_t first = 0; first < corners.size(); ++first) {
    if (first / stride % levels != 0) continue;
    const auto value_at = [&](std::size_t level) { return corners[first + level * stride].value; };
    bool is_complete = true;
    for (std::size_t level = 0; level < levels; ++level) is_complete &= value_at(level).has_value();
    if (!is_complete) continue;
    for (std::size_t level = 0; level < levels; ++level) sums[level] += *value_at(level);
    ++settings;
  }
  if (settings == 0) return {};
  for (double& sum : sums) sum /= settings;
  return sums;
}

// The deviation of the means of its values. For two values this is half of the change from the
// first to the last, with its sign.
std::optional<double> deviation(const std::vector<double>& means) {
  if (means.empty()) return std::nullopt;
  if (means.size() == 2) return (means[1] - means[0]) / 2;
  double mean = 0, squares = 0;
  for (const double level_mean : means) mean += level_mean / static_cast<double>(means.size());
  for (const double level_mean : means) squares += (level_mean - mean) * (level_mean - mean);
  return std::sqrt(squares / static_cast<double>(means.size()));
}

// The largest mean square of a main effect or an interaction. Orthonormal contrasts of each
// factor's values replace the times: for two values their sum and difference over the square root
// of 2, the sign table. The contrasts that are not sums of the same factors form one effect.
double largest_square(const std::vector<Evaluated>& table, const std::vector<Factor>& factors) {
  std::vector<double> contrasts;
  for (const auto& corner : table) contrasts.push_back(*corner.value);
  std::vector<std::uint32_t> parts(table.size());  // bit i: not the sum over factor i
  std::size_t stride = 1;
  for (std::size_t factor = 0; factor < factors.size(); ++factor) {
    const std::size_t levels = factors[factor].levels.size();
    for (std::size_t first = 0; first < table.size(); ++first) {
      if (first / stride % levels != 0) continue;
      double sum = contrasts[first];
      for (std::size_t level = 1; level < levels; ++level) {
        const std::size_t at = first + level * stride;
        const auto count = static_cast<double>(level);
        const double difference = (sum - count * contrasts[at]) / std::sqrt(count * (count + 1));
        sum += std::exchange(contrasts[at], difference);
        parts[at] |= std::uint32_t{1} << factor;
      }
      contrasts[first] = sum / std::sqrt(static_cast<double>(levels));
    }
    stride *= levels;
  }
  std::map<std::uint32_t, double> squares;
  for (std::size_t at = 1; at < table.size(); ++at)
    squares[parts[at]] += contrasts[at] * contrasts[at] / static_cast<double>(table.size());
  double largest = 0;
  for (const auto& [part, square] : squares) largest = std::max(largest, square);
  return largest;
}

// `table`: all corners, in the order of `corners`.
std::vector<MainEffect> main_effects(const std::vector<Evaluated>& table,
                                     const std::vector<Factor>& factors) {
  std::vector<MainEffect> effects;
  const bool is_complete =
      std::ranges::all_of(table, [](const auto& corner) { return corner.value.has_value(); });
  double largest = is_complete ? largest_square(table, factors) : 0;
  std::size_t stride = 1;
  for (const auto& factor : factors) {
    const auto effect = deviation(level_means(table, factor, stride));
    stride *= factor.levels.size();
    effects.push_back({.parameter = factor.parameter, .effect = effect});
    largest = std::max(largest, effect.value_or(0) * effect.value_or(0));
  }
  for (auto& effect : effects)
    if (effect.effect) effect.part = largest > 0 ? *effect.effect * *effect.effect / largest : 0;
  return effects;
}

std::vector<Combination> make_canonical(const Space& space, std::vector<Combination> all) {
  for (auto& combination : all) combination = space.canonical(std::move(combination));
  return all;
}

// The combinations for the remaining brute force.
Box remaining_box(const Space& space, const std::vector<MainEffect>& effects) {
  Box box(space);
  for (const auto& effect : effects)
    if (effect.is_frozen) box.fix(effect.parameter, effect.frozen_at);
  return box;
}

std::size_t distinct_evaluations(const Space& space, const std::vector<MainEffect>& effects) {
  const auto evaluated = make_canonical(space, corners(space, find_factors(space)));
  std::set<Combination> distinct(evaluated.begin(), evaluated.end());
  for (auto& combination : remaining_box(space, effects).all())
    distinct.insert(std::move(combination));
  return distinct.size();
}

}  // namespace

std::size_t predicted_evaluations(const Space& space, const std::vector<MainEffect>& effects) {
  if (space.has_conditions()) return distinct_evaluations(space, effects);
  std::size_t product = 1, corners_left = 1;
  for (const auto& effect : effects) {
    if (effect.is_frozen) continue;
    product *= space.parameters()[effect.parameter].values.size();
    corners_left *= corner_levels(space.parameters()[effect.parameter]).size();
  }
  return corner_count(find_factors(space)) + product - corners_left;
}

Result<SearchOutcome> factorial_search(Evaluations& evaluations, const SearchOptions& options) {
  const Space& space = evaluations.space();
  const auto factors = find_factors(space);
  if (const auto error = check_brute_force(corner_count(factors), "for the corners")) return *error;
  auto combinations = corners(space, factors);
  const auto results = TUTTI_TRY(evaluations.evaluate(make_canonical(space, combinations)));
  std::vector<Evaluated> table;
  for (std::size_t i = 0; i < results.size(); ++i)
    table.push_back({std::move(combinations[i]), results[i].value});
  SearchOutcome outcome;
  outcome.effects = main_effects(table, factors);
  const auto best = find_best(space, results);
  if (!best) return outcome;
  for (auto& effect : outcome.effects) {
    if (!effect.part || *effect.part >= options.threshold) continue;
    effect.is_frozen = true;
    effect.frozen_at = best->combination[effect.parameter];
    outcome.remarks.push_back(fixed_text(space, effect.parameter, effect.frozen_at, "frozen"));
  }
  if (const auto error = evaluate_all(evaluations, remaining_box(space, outcome.effects)))
    return *error;
  return outcome;
}

}  // namespace tutti::studies::tuning
