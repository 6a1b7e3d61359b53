// SPDX-License-Identifier: BSD-3-Clause
// How much each parameter matters, from all combinations that were evaluated.
#pragma once

#include <optional>
#include <vector>

#include "sim/tune/evaluations.hpp"

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
  // costs where the others are chosen well. Only where all combinations were evaluated: bests of
  // samples depend on where a search looked.
  std::optional<double> spread;
  // Pairs of combinations that differ in this parameter alone, and whether any differ in value.
  std::size_t compared = 0;
  bool differs = false;

  bool is_without_effect() const { return compared > 0 && !differs; }
};

// By parameter. The first evaluation of a combination counts; each is there once.
std::vector<Sensitivity> sensitivities(const Space& space, const std::vector<Evaluated>& all);

}  // namespace tutti::studies::tuning
