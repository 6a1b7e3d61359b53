// SPDX-License-Identifier: BSD-3-Clause
// How much each parameter matters, from all combinations that were evaluated.
#pragma once

#include <optional>
#include <vector>

#include "sim/studies/tuning/evaluations.hpp"

namespace tutti::studies::tuning {

// Of one value of a parameter: over the combinations that have it.
struct ValueEffect {
  std::uint32_t value = 0;
  std::size_t evaluations = 0;
  double mean = 0;
  double best = 0;
};

struct Sensitivity {
  std::size_t parameter = 0;
  std::vector<ValueEffect> values;  // those that were evaluated
  // (largest - least) / least of the values' bests: what a wrong choice of this parameter alone
  // costs where the others are chosen well.
  double spread = 0;
  // Pairs of combinations that differ in this parameter alone, and whether any differ in value.
  std::size_t compared = 0;
  bool differs = false;
};

// By parameter. The first evaluation of a combination counts.
std::vector<Sensitivity> sensitivities(const Space& space, const std::vector<Evaluated>& all);

}  // namespace tutti::studies::tuning
