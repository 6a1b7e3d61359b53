// SPDX-License-Identifier: BSD-3-Clause
// The runs that measured the times of a fit, and the estimate of how far they differ.
#pragma once

#include "sim/fit/collective_table.hpp"
#include "sim/fit/scale_law.hpp"
#include "sim/fit/simulated_fit.hpp"

namespace tutti::studies {

// Runs of the rows of collectives, in the order of their first rows.
struct MeasuredRuns {
  std::vector<MeasuredRun> runs;     // without their effects
  std::vector<Eigen::Index> of_row;  // -1: a message between two nodes, or an unknown run

  explicit MeasuredRuns(const std::vector<MeasuredCollective>& measured);
};

// Returns the effects of these runs with a first guess of their spread; none with fewer than three
// runs, whose spread cannot be estimated. `is_latency` is that of RunEffects.
RunEffects effects_of(const MeasuredRuns& runs, std::vector<bool> is_latency);

// Estimates the standard deviations of the effects from a fit with them: a step of expectation
// maximization, in which the prior of each variance counts as two runs. Returns false if they
// hardly change. The first `times` residuals of the fit are times.
bool renew_spread(RunEffects& effects, const SimulatedFit& fit, Eigen::Index times, double scatter);

// Returns the runs with their effects in this fit; empty if it contains no effects.
std::vector<MeasuredRun> runs_in(const SimulatedFit& fit, const RunEffects& effects,
                                 const MeasuredRuns& runs);

}  // namespace tutti::studies
