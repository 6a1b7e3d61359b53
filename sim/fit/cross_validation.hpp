// SPDX-License-Identifier: BSD-3-Clause
// Predicts the measured times by fits without them: without whole collectives, runs, and numbers of
// nodes.
#pragma once

#include "sim/fit/joint_fit.hpp"
#include "sim/fit/simulated_fit.hpp"

namespace tutti::studies {

// Fits again without each collective, each run and each number of nodes, as far as there are
// several, or, if there is one of each, without every fifth row, and predicts the omitted rows. An
// omitted run has no effects. Each fit starts at `fit` and keeps its choice
// of protocols and laws; with at least 200 rows it keeps the critical paths as well, and needs no
// simulation beyond those of the omitted rows. Messages between two nodes are never omitted.
// Errors: calls that cannot be simulated.
Result<std::vector<CrossValidation>> cross_validated(const SimulatedModel& model,
                                                     const SimulatedFit& fit);

}  // namespace tutti::studies
