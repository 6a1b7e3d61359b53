// SPDX-License-Identifier: BSD-3-Clause
// How far off a fit predicts times that it was not fitted to.
#pragma once

#include "sim/fit/joint_fit.hpp"
#include "sim/fit/simulated_fit.hpp"

namespace tutti::studies {

// Fits again without each collective, or where there is one only, without every fifth row, and
// predicts what was left out. Each fit begins at `fit` and keeps what that chose of protocols.
// Errors: what cannot be simulated.
Result<CrossValidation> cross_validated(const SimulatedModel& model, const SimulatedFit& fit);

}  // namespace tutti::studies
