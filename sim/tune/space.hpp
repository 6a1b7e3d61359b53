// SPDX-License-Identifier: BSD-3-Clause
// The space of a search: parameters with their possible values, and the valid combinations.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies::tuning {

// The index of a value for each parameter.
using Combination = std::vector<std::uint32_t>;

struct TunedParameter {
  std::string name;
  std::vector<std::string> values;  // at least one, in the given order
  std::uint32_t default_value = 0;  // index of the value
  bool is_ordered = true;           // neighbors are similar: sizes, counts; otherwise names
};

class Space {
 public:
  // Whether the condition of the parameter with that index is true in a combination.
  using Applies = std::function<bool(const Combination&, std::size_t parameter)>;

  // Without `applies` no parameter has a condition.
  explicit Space(std::vector<TunedParameter> parameters, Applies applies = {});

  const std::vector<TunedParameter>& parameters() const { return parameters_; }
  std::size_t dimensions() const { return parameters_.size(); }
  // Size of the product, with invalid combinations. Saturates at most_combinations.
  std::size_t size() const { return size_; }
  static constexpr std::size_t most_combinations = std::size_t{1} << 40;

  bool applies(const Combination& combination, std::size_t parameter) const {
    return !applies_ || applies_(combination, parameter);
  }
  bool has_conditions() const { return static_cast<bool>(applies_); }
  // A combination is valid if each parameter with a false condition has its default.
  bool allows(const Combination& combination) const;
  // The equivalent valid combination: parameters with a false condition have their defaults.
  Combination canonical(Combination combination) const;
  // The combination with this index in the product; the last parameter varies fastest.
  Combination at(std::size_t index) const;
  Combination defaults() const;
  // All valid combinations, in the order of their indices.
  std::vector<Combination> all() const;
  // Number of valid combinations; an estimate for a space above most_counted.
  std::size_t count() const;
  static constexpr std::size_t most_counted = 1'000'000;
  // Number of parameters that are not at their default.
  std::size_t changes(const Combination& combination) const;

 private:
  bool is_idle(const Combination& combination, std::size_t parameter) const;

  std::vector<TunedParameter> parameters_;
  Applies applies_;
  std::size_t size_ = 1;
};

}  // namespace tutti::studies::tuning
