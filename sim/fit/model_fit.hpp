// SPDX-License-Identifier: BSD-3-Clause
// Fits the parameters of a model to experiments: the system of linear equations of Nuriyev and
// Lastovetsky (figure 4), each divided by its time so that all sizes have the same weight, solved
// by Huber regression with nonnegative costs.
#pragma once

#include "algorithms/models/stages.hpp"
#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/algorithm_model.hpp"
#include "sim/fit/line_fits.hpp"
#include "sim/fit/model_experiment.hpp"

namespace tutti::studies {

// gamma(P) of a machine (Nuriyev and Lastovetsky, section 4.1): linear broadcasts of a segment by
// non-blocking sends to P - 1 ranks, one per node, until the last rank has it. On a real machine,
// barriers between the calls let the root observe that; a simulation knows the end.

inline constexpr int most_gamma_procs = 16;  // gamma is a straight line for larger P

// Returns the experiments with P = 2, 3, ... up to `most_procs`, as far as the machine has nodes,
// and with the given noise. Errors: a machine of one node.
Result<std::vector<ModelExperiment>> gamma_experiments(const platforms::Machine& machine,
                                                       Bytes segment_bytes, int most_procs,
                                                       const runtime::Noise& noise);

struct GammaFit {
  algorithms::models::Gamma gamma;
  // Relative deviation of the measured values from the straight line.
  double largest_residual = 0;
};
// Fits gamma to the times of P = 2, 3, ...; there must be at least one, and all must be positive.
GammaFit gamma_of(const std::vector<Seconds>& times);

struct ModelObservation {
  algorithms::models::StageForm form;
  double gather_messages = 0;  // P - 1 if a linear gather follows, otherwise 0
  Bytes gather_bytes = 0;
  Seconds time_s = 0;
};

enum class ModelTerms : unsigned char {
  // alpha, beta and lambda; alpha and beta for each class of sizes that the data show; a gather has
  // its own parameters, since most of it overlaps the call.
  extended,
  published  // only alpha and beta, which also apply to the gather: equations 6 to 8
};

// Fits calls with one number of processes; extended terms need all of them unsegmented or all
// segmented. There must be at least one observation, and all times must be positive. The result
// lacks the number of processes and the range of the calls.
ProcsModel fit_model(const std::vector<ModelObservation>& observations, ModelTerms terms);

}  // namespace tutti::studies
