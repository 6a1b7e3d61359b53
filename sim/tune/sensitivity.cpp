// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace tutti::studies::tuning {
namespace {

Sensitivity of_parameter(const Space& space, const std::vector<Evaluated>& all,
                         std::size_t parameter, bool is_whole) {
  Sensitivity found{.parameter = parameter, .values = {}, .spread = {}};
  std::vector<ValueEffect> effects(space.parameters()[parameter].values.size());
  std::map<Combination, double> with_others;  // the parameter itself at 0
  for (const auto& each : all) {
    if (!each.value || !space.applies(each.combination, parameter)) continue;
    auto& effect = effects[each.combination[parameter]];
    effect.best = effect.evaluations == 0 ? *each.value : std::min(effect.best, *each.value);
    effect.mean += *each.value;
    ++effect.evaluations;
    Combination others = each.combination;
    others[parameter] = 0;
    const auto [known, is_new] = with_others.try_emplace(std::move(others), *each.value);
    if (is_new) continue;
    ++found.compared;
    found.differs |= std::abs(known->second - *each.value) > equal_values * std::abs(*each.value);
  }
  double least = 0, largest = 0;
  for (std::uint32_t value = 0; value < effects.size(); ++value) {
    auto& effect = effects[value];
    if (effect.evaluations == 0) continue;
    effect.value = value;
    effect.mean /= static_cast<double>(effect.evaluations);
    least = found.values.empty() ? effect.best : std::min(least, effect.best);
    largest = std::max(largest, effect.best);
    found.values.push_back(effect);
  }
  if (is_whole && least > 0) found.spread = largest / least - 1;
  return found;
}

}  // namespace

std::vector<Sensitivity> sensitivities(const Space& space, const std::vector<Evaluated>& all) {
  const bool is_whole = space.size() <= Space::most_counted && all.size() == space.count();
  std::vector<Sensitivity> found;
  for (std::size_t i = 0; i < space.dimensions(); ++i)
    found.push_back(of_parameter(space, all, i, is_whole));
  return found;
}

}  // namespace tutti::studies::tuning
