// SPDX-License-Identifier: BSD-3-Clause
// What is tuned: parameters, each with the values that it may take, and which combinations make
// sense.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies::tuning {

// A value for each parameter, by its number.
using Combination = std::vector<std::uint32_t>;

struct TunedParameter {
  std::string name;
  std::vector<std::string> values;  // at least one, in the order given
  std::uint32_t default_value = 0;  // its number
  bool is_ordered = true;           // neighbours are alike: sizes, counts; else names
};

class Space {
 public:
  // Whether the condition of a parameter, by its number, holds in a combination.
  using Applies = std::function<bool(const Combination&, std::size_t parameter)>;

  // None: no parameter has a condition.
  explicit Space(std::vector<TunedParameter> parameters, Applies applies = {});

  const std::vector<TunedParameter>& parameters() const { return parameters_; }
  std::size_t dimensions() const { return parameters_.size(); }
  // Of the product, allowed or not. A space whose product is above most_combinations saturates.
  std::size_t size() const { return size_; }
  static constexpr std::size_t most_combinations = std::size_t{1} << 40;

  bool applies(const Combination& combination, std::size_t parameter) const {
    return !applies_ || applies_(combination, parameter);
  }
  bool has_conditions() const { return static_cast<bool>(applies_); }
  // A combination makes sense if each parameter whose condition does not hold has its default.
  bool allows(const Combination& combination) const;
  // The one that makes sense and means the same: what does not apply is at its default.
  Combination canonical(Combination combination) const;
  // By its number in the product; the last parameter varies fastest.
  Combination at(std::size_t index) const;
  std::size_t index_of(const Combination& combination) const;
  Combination defaults() const;
  // With all values of some parameters, the others as in `others`: those that differ once they are
  // canonical, in the order of their numbers.
  std::vector<Combination> varied(const std::vector<bool>& varies, const Combination& others) const;
  // All that are allowed, in the order of their numbers.
  std::vector<Combination> all() const;
  // How many are allowed; of a space above most_counted an estimate.
  std::size_t count() const;
  static constexpr std::size_t most_counted = 1'000'000;
  // How many parameters are not at their default.
  std::size_t changes(const Combination& combination) const;

  std::string text_of(const Combination& combination) const;  // "a=1, b=2"

 private:
  bool is_idle(const Combination& combination, std::size_t parameter) const;

  std::vector<TunedParameter> parameters_;
  Applies applies_;
  std::size_t size_ = 1;
};

}  // namespace tutti::studies::tuning
