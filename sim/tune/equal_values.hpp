// SPDX-License-Identifier: BSD-3-Clause
// Conclusions from exactly equal times: parameters that differ between them have no effect there.
// Simulated times have no noise; an algorithm without segments takes the same time with each
// segment size.
#pragma once

#include "sim/base/common.hpp"
#include "sim/tune/evaluations.hpp"

namespace tutti::studies::tuning {

class EqualValues {
 public:
  // What two values with equal times imply. Careful: the values between them have that time as
  // well; bold: if three values have it, all have it.
  enum class Guess : unsigned char { careful, bold };
  EqualValues(const Space& space, const std::vector<Evaluated>& known, Guess guess = Guess::bold);

  // Whether a known combination is likely to have exactly the time of this one.
  bool repeats(const Combination& combination) const;
  // Whether these two are likely to have exactly the same time.
  bool same(const Combination& a, const Combination& b) const;

 private:
  // Values of one parameter with equal times, represented by their smallest one.
  using Classes = std::vector<std::uint32_t>;

  // Names (algorithms, maps) determine which other parameters have an effect: combinations are
  // compared only if all names are equal.
  Combination only_names(const Combination& combination) const;
  void unite(std::vector<Classes>& classes, const Combination& a, const Combination& b) const;
  Combination reduce(const Combination& combination, const std::vector<Classes>& classes) const;

  const Space& space_;
  bool is_bold_;
  std::map<Combination, std::vector<Classes>> classes_;  // by names, then by parameter
  std::set<Combination> known_;                          // reduced combinations
};

}  // namespace tutti::studies::tuning
