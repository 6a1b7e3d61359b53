// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/tuning/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/check.hpp"

namespace tutti::studies::tuning {

Space::Space(std::vector<TunedParameter> parameters, Allowed allowed)
    : parameters_(std::move(parameters)), allowed_(std::move(allowed)) {
  for (const auto& each : parameters_) {
    TUTTI_CHECK(!each.values.empty(), "a parameter without a value");
    size_ = std::min(most_combinations, size_ * each.values.size());
  }
}

Combination Space::at(std::size_t index) const {
  Combination combination(dimensions());
  for (std::size_t i = dimensions(); i-- > 0;) {
    const std::size_t count = parameters_[i].values.size();
    combination[i] = static_cast<std::uint32_t>(index % count);
    index /= count;
  }
  return combination;
}

std::size_t Space::index_of(const Combination& combination) const {
  std::size_t index = 0;
  for (std::size_t i = 0; i < dimensions(); ++i)
    index = index * parameters_[i].values.size() + combination[i];
  return index;
}

Combination Space::defaults() const {
  Combination combination;
  for (const auto& each : parameters_) combination.push_back(each.default_value);
  return combination;
}

std::vector<Combination> Space::all() const {
  std::vector<Combination> found;
  for (std::size_t i = 0; i < size_; ++i)
    if (auto combination = at(i); allows(combination)) found.push_back(std::move(combination));
  return found;
}

std::string Space::text_of(const Combination& combination) const {
  std::string text;
  for (std::size_t i = 0; i < dimensions(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : ", ", parameters_[i].name,
                        parameters_[i].values[combination[i]]);
  return text;
}

}  // namespace tutti::studies::tuning
