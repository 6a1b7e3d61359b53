// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/evaluations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/check.hpp"

namespace tutti::studies::tuning {

std::optional<Evaluated> best_of(const Space& space, const std::vector<Evaluated>& all) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& each : all) least = std::min(least, each.value.value_or(least));
  const Evaluated* best = nullptr;
  for (const auto& each : all) {
    if (!each.value || *each.value > least + equal_values * std::abs(least)) continue;
    if (best == nullptr || space.changes(each.combination) < space.changes(best->combination))
      best = &each;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

Result<std::vector<Evaluated>> Evaluations::of(const std::vector<Combination>& combinations,
                                               std::size_t level) {
  auto& known = known_[level];
  std::vector<Combination> unknown;
  for (const auto& each : combinations)
    if (known.try_emplace(each).second) unknown.push_back(each);
  if (!unknown.empty()) {
    const auto values = TUTTI_TRY(evaluate_(unknown, level));
    TUTTI_CHECK(values.size() == unknown.size(), "a value for each combination");
    for (std::size_t i = 0; i < unknown.size(); ++i) take(unknown[i], level, (values)[i]);
  }
  std::vector<Evaluated> found;
  for (const auto& each : combinations) found.push_back({each, known.at(each)});
  return found;
}

void Evaluations::take(const Combination& combination, std::size_t level,
                       std::optional<double> value) {
  known_[level].at(combination) = value;
  ++count_;
  cost_ += levels_.costs[level];
  if (level != levels_.whole()) return;
  history_.push_back({combination, value});
  if (value && (improvements_.empty() || *value < improvements_.back().value))
    improvements_.push_back({.evaluations = count_, .cost = cost_, .value = *value});
}

void sort_by_value(std::vector<Evaluated>& all) {
  std::ranges::stable_sort(all, {}, [](const Evaluated& each) {
    return each.value.value_or(std::numeric_limits<double>::infinity());
  });
}

}  // namespace tutti::studies::tuning
