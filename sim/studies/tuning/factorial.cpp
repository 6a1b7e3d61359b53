// SPDX-License-Identifier: BSD-3-Clause
// 2^k factorial, as ADCL's (OTPO's default): all corners, the first and the last value of each
// parameter; main effects by the sign table; squares of effects relative to the largest one. A
// parameter below the threshold is frozen where the best corner has it; the others are tried by
// brute force. Where the condition of a parameter does not hold in a corner, its default is
// simulated: the corner's value is that, its place in the sign table stays.
#include <algorithm>
#include <cmath>
#include <set>

#include "sim/studies/tuning/searches.hpp"

namespace tutti::studies::tuning {
namespace {

// Parameters that have a first and a last value.
std::vector<std::size_t> factors_of(const Space& space) {
  std::vector<std::size_t> factors;
  for (std::size_t i = 0; i < space.dimensions(); ++i)
    if (space.parameters()[i].values.size() > 1) factors.push_back(i);
  return factors;
}

std::uint32_t end_value(const Space& space, std::size_t parameter, bool last) {
  return last ? static_cast<std::uint32_t>(space.parameters()[parameter].values.size() - 1) : 0;
}

std::vector<Combination> corners(const Space& space, const std::vector<std::size_t>& factors) {
  std::vector<Combination> all;
  for (std::size_t corner = 0; corner < std::size_t{1} << factors.size(); ++corner) {
    Combination combination(space.dimensions(), 0);
    for (std::size_t i = 0; i < factors.size(); ++i)
      combination[factors[i]] = end_value(space, factors[i], (corner >> i & 1) != 0);
    all.push_back(std::move(combination));
  }
  return all;
}

// The sign table's column of one parameter: the mean with its last value less that with its first,
// halved. Corners that failed are left out.
double effect_of(const std::vector<Evaluated>& corners, std::size_t parameter) {
  double sum[2] = {0, 0};
  double count[2] = {0, 0};
  for (const auto& each : corners) {
    if (!each.value) continue;
    const bool last = each.combination[parameter] != 0;
    sum[last] += *each.value;
    ++count[last];
  }
  if (count[0] == 0 || count[1] == 0) return 0;
  return (sum[1] / count[1] - sum[0] / count[0]) / 2;
}

std::vector<MainEffect> effects_of(const std::vector<Evaluated>& corners,
                                   const std::vector<std::size_t>& factors) {
  std::vector<MainEffect> effects;
  double largest = 0;
  for (const std::size_t factor : factors) {
    effects.push_back({.parameter = factor, .effect = effect_of(corners, factor)});
    largest = std::max(largest, effects.back().effect * effects.back().effect);
  }
  for (auto& each : effects) each.part = largest > 0 ? each.effect * each.effect / largest : 0;
  return effects;
}

std::vector<Combination> canonical(const Space& space, std::vector<Combination> all) {
  for (auto& each : all) each = space.canonical(std::move(each));
  return all;
}

// What is left to brute force.
Box box_of(const Space& space, const std::vector<MainEffect>& effects) {
  Box box(space);
  for (const auto& each : effects)
    if (each.is_frozen) box.fix(each.parameter, each.frozen_at);
  return box;
}

std::size_t distinct_evaluations(const Space& space, const std::vector<MainEffect>& effects) {
  const auto of_corners = canonical(space, corners(space, factors_of(space)));
  std::set<Combination> distinct(of_corners.begin(), of_corners.end());
  for (auto& each : box_of(space, effects).all()) distinct.insert(std::move(each));
  return distinct.size();
}

}  // namespace

std::size_t predicted_evaluations(const Space& space, const std::vector<MainEffect>& effects) {
  if (space.has_conditions()) return distinct_evaluations(space, effects);
  std::size_t product = 1, corners_left = 1;
  for (const auto& each : effects) {
    if (each.is_frozen) continue;
    product *= space.parameters()[each.parameter].values.size();
    corners_left *= 2;
  }
  return (std::size_t{1} << effects.size()) + product - corners_left;
}

Result<SearchOutcome> factorial_search(Evaluations& evaluations, const SearchOptions& options) {
  const Space& space = evaluations.space();
  const auto factors = factors_of(space);
  const auto corner_count = std::size_t{1} << std::min<std::size_t>(factors.size(), 40);
  if (const auto error = check_brute_force(corner_count, "for the corners")) return *error;
  auto of_corners = corners(space, factors);
  auto done = evaluations.of(canonical(space, of_corners));
  if (!done) return done.errors();
  std::vector<Evaluated> table;
  for (std::size_t i = 0; i < done->size(); ++i)
    table.push_back({std::move(of_corners[i]), (*done)[i].value});
  SearchOutcome outcome;
  outcome.effects = effects_of(table, factors);
  sort_by_value(*done);
  if (done->empty() || !done->front().value) return outcome;
  for (auto& each : outcome.effects) {
    if (each.part >= options.threshold) continue;
    each.is_frozen = true;
    each.frozen_at = done->front().combination[each.parameter];
    outcome.remarks.push_back(fixed_text(space, each.parameter, each.frozen_at, "frozen"));
  }
  const Box box = box_of(space, outcome.effects);
  if (const auto error = check_brute_force(box.size(), "to be left")) return *error;
  const auto rest = evaluations.of(box.all());
  if (!rest) return rest.errors();
  return outcome;
}

}  // namespace tutti::studies::tuning
