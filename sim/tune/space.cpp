// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/space.hpp"

#include "sim/base/random.hpp"

namespace tutti::studies::tuning {

Space::Space(std::vector<TunedParameter> parameters, Applies applies)
    : parameters_(std::move(parameters)), applies_(std::move(applies)) {
  for (const auto& parameter : parameters_) {
    TUTTI_CHECK(!parameter.values.empty(), "a parameter without a value");
    size_ = std::min(most_combinations, size_ * parameter.values.size());
  }
}

bool Space::is_idle(const Combination& combination, std::size_t parameter) const {
  return combination[parameter] != parameters_[parameter].default_value &&
         !applies_(combination, parameter);
}

bool Space::allows(const Combination& combination) const {
  if (!applies_) return true;
  for (std::size_t i = 0; i < dimensions(); ++i)
    if (is_idle(combination, i)) return false;
  return true;
}

Combination Space::canonical(Combination combination) const {
  if (!applies_) return combination;
  // A condition may depend on a parameter that another condition has reset.
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (std::size_t i = 0; i < dimensions(); ++i)
      if (is_idle(combination, i)) {
        combination[i] = parameters_[i].default_value;
        has_changed = true;
      }
  }
  return combination;
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

Combination Space::defaults() const {
  Combination combination;
  for (const auto& parameter : parameters_) combination.push_back(parameter.default_value);
  return combination;
}

std::vector<Combination> Space::all() const {
  std::vector<Combination> valid;
  for (std::size_t i = 0; i < size_; ++i)
    if (auto combination = at(i); allows(combination)) valid.push_back(std::move(combination));
  return valid;
}

std::size_t Space::count() const {
  if (!has_conditions()) return size_;
  constexpr std::size_t draws = 10'000;
  const std::size_t looked_at = size_ <= most_counted ? size_ : draws;
  std::size_t valid = 0;
  for (std::size_t i = 0; i < looked_at; ++i)
    valid += allows(at(size_ <= most_counted ? i : mixed(i) % size_)) ? 1 : 0;
  return size_ <= most_counted ? valid : size_ / draws * std::max<std::size_t>(1, valid);
}

std::size_t Space::changes(const Combination& combination) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < dimensions(); ++i)
    count += combination[i] != parameters_[i].default_value ? 1 : 0;
  return count;
}

}  // namespace tutti::studies::tuning
