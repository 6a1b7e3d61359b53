// SPDX-License-Identifier: BSD-3-Clause
// What is tuned: parameters, each with the values that it may take, and which combinations make
// sense.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

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
  using Allowed = std::function<bool(const Combination&)>;

  // `allowed`: whether a combination makes sense; none: all do.
  explicit Space(std::vector<TunedParameter> parameters, Allowed allowed = {});

  const std::vector<TunedParameter>& parameters() const { return parameters_; }
  std::size_t dimensions() const { return parameters_.size(); }
  // Of the product, allowed or not. A space whose product is above most_combinations saturates.
  std::size_t size() const { return size_; }
  static constexpr std::size_t most_combinations = std::size_t{1} << 40;

  bool allows(const Combination& combination) const { return !allowed_ || allowed_(combination); }
  // By its number in the product; the last parameter varies fastest.
  Combination at(std::size_t index) const;
  std::size_t index_of(const Combination& combination) const;
  Combination defaults() const;
  // All that are allowed, in the order of their numbers. Of a space of up to `most`.
  std::vector<Combination> all() const;

  std::string text_of(const Combination& combination) const;  // "a=1, b=2"

 private:
  std::vector<TunedParameter> parameters_;
  Allowed allowed_;
  std::size_t size_ = 1;
};

}  // namespace tutti::studies::tuning
