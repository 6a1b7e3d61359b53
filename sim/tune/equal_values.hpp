// SPDX-License-Identifier: BSD-3-Clause
// What exactly equal times tell: parameters that differ between them do not matter there. Simulated
// times have no noise; an algorithm that has no segments takes the same with each segment size.
#pragma once

#include "sim/base/common.hpp"
#include "sim/tune/evaluations.hpp"

namespace tutti::studies::tuning {

class EqualValues {
 public:
  // What values that took the same tell of others. Careful: those between the two do as well;
  // bold: where three do, all do.
  enum class Guess : unsigned char { careful, bold };
  EqualValues(const Space& space, const std::vector<Evaluated>& known, Guess guess = Guess::bold);

  // Whether a known combination is likely to take exactly what this one does.
  bool repeats(const Combination& combination) const;
  // Whether these two are likely to take exactly the same.
  bool same(const Combination& a, const Combination& b) const;

 private:
  // Values of one parameter that took the same, by their least one.
  using Classes = std::vector<std::uint32_t>;

  // Names (algorithms, maps) decide what else matters: combinations are compared where all names
  // are the same.
  Combination names_of(const Combination& combination) const;
  void unite(std::vector<Classes>& classes, const Combination& a, const Combination& b) const;
  Combination reduced(const Combination& combination, const std::vector<Classes>& classes) const;

  const Space& space_;
  bool is_bold_;
  std::map<Combination, std::vector<Classes>> classes_;  // by names, then parameter
  std::set<Combination> known_;                          // reduced
};

}  // namespace tutti::studies::tuning
