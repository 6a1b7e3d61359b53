// SPDX-License-Identifier: BSD-3-Clause
// Hockney's and LogGP's formulas with the parameters that fit measured times best: how accurate the
// formulas can be, however a platform's parameters are determined.
#pragma once

#include "algorithms/collective.hpp"
#include "sim/validate/model_parameters.hpp"

namespace tutti::studies {

// A measured call of an algorithm that has a formula.
struct FormulaTime {
  const algorithms::Algorithm* algorithm = nullptr;
  algorithms::ModelArgs args;  // reductions proceed at this rate, which is not fitted
  Seconds measured_s = 0;
};

// Fits l and b of Hockney, and L, o, g and G of LogGP, whose g is the same for all sizes:
// Levenberg-Marquardt steps on the logarithms of times and parameters, with the robust loss of
// simulated_fit.hpp. The fit starts at the given parameters. Parameters that the times do not
// determine stay near their start. Requires at least one time.
ModelParameters fit_formulas(const std::vector<FormulaTime>& times, const ModelParameters& start);

}  // namespace tutti::studies
