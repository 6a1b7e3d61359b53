// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/tuning/evaluations.hpp"

#include <algorithm>
#include <limits>

#include "sim/base/check.hpp"

namespace tutti::studies::tuning {

Result<std::vector<Evaluated>> Evaluations::of(const std::vector<Combination>& combinations,
                                               std::size_t level) {
  std::vector<Combination> unknown;
  for (const auto& each : combinations)
    if (!known_.contains({level, each}) && std::ranges::find(unknown, each) == unknown.end())
      unknown.push_back(each);
  if (!unknown.empty()) {
    const auto values = evaluate_(unknown, level);
    if (!values) return values.errors();
    TUTTI_CHECK(values->size() == unknown.size(), "a value for each combination");
    for (std::size_t i = 0; i < unknown.size(); ++i) take(unknown[i], level, (*values)[i]);
  }
  std::vector<Evaluated> found;
  for (const auto& each : combinations) found.push_back({each, known_.at({level, each})});
  return found;
}

void Evaluations::take(const Combination& combination, std::size_t level,
                       std::optional<double> value) {
  known_.emplace(std::pair(level, combination), value);
  ++count_;
  cost_ += levels_.costs[level];
  if (level != levels_.whole()) return;
  history_.push_back({combination, value});
  if (!value || (best_ && *value >= *best_->value)) return;
  best_ = history_.back();
  improvements_.push_back({.evaluations = count_, .cost = cost_, .value = *value});
}

void sort_by_value(std::vector<Evaluated>& all) {
  std::ranges::stable_sort(all, {}, [](const Evaluated& each) {
    return each.value.value_or(std::numeric_limits<double>::infinity());
  });
}

}  // namespace tutti::studies::tuning
