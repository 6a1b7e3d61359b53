// SPDX-License-Identifier: BSD-3-Clause
// From experiments to the parameters of a model: the system of linear equations of Nuriyev and
// Lastovetsky (figure 4), each divided by its time so that all sizes count alike, solved by Huber's
// regression with costs that are not below 0.
#pragma once

#include "algorithms/models/stages.hpp"
#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/algorithm_model.hpp"
#include "sim/fit/model_experiment.hpp"
#include "sim/studies/line_fits.hpp"

namespace tutti::studies {

// Huber's regression with coefficients that are not below 0: those of costs. In each
// round of reweighting the least squares are C. L. Lawson's and R. J. Hanson's (Solving Least
// Squares Problems, 1974, chapter 23).

// min |X x - y| with x >= 0.
Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& X, const Eigen::VectorXd& y);

// As huber_fit. Coefficients that end at 0 have no variance; of columns that the data do not tell
// apart some are 0.
RobustFit nonnegative_huber_fit(const Eigen::MatrixXd& X, const Eigen::VectorXd& y);

// gamma(P) of a machine (Nuriyev, Lastovetsky, section 4.1): linear broadcasts of a segment by
// non-blocking sends to P - 1 ranks, one on a node, each until the last rank has it. On a real
// machine barriers between the calls tell the root when that is; a simulation knows.

inline constexpr int most_gamma_procs = 16;  // beyond it gamma is a straight line

// Of P = 2, 3, ... up to `most_procs`, as far as the machine has nodes; noise as given. Errors: a
// machine of one node.
Result<std::vector<ModelExperiment>> gamma_experiments(const platforms::Machine& machine,
                                                       Bytes segment_bytes, int most_procs,
                                                       const runtime::Noise& noise);

struct GammaFit {
  algorithms::models::Gamma gamma;
  double largest_residual = 0;  // of the measured values from their straight line, as a part
};
// Of the times of P = 2, 3, ...; at least one, all positive.
GammaFit gamma_of(const std::vector<Seconds>& times);

struct ModelObservation {
  algorithms::models::StageForm form;
  double gather_messages = 0;  // P - 1 where a linear gather follows
  Bytes gather_bytes = 0;
  Seconds time_s = 0;
};

enum class ModelTerms : unsigned char {
  // alpha, beta and lambda; alpha and beta for each class of sizes that the data show; a gather has
  // its own, since most of it is over before the call is.
  extended,
  published  // alpha and beta, and the gather's are the same: equations 6 to 8
};

// Of calls with one number of processes, in one piece or in segments. At least one observation, of
// positive times. Everything is set but the number of processes and the range of the calls.
ProcsModel fit_model(const std::vector<ModelObservation>& observations, ModelTerms terms);

}  // namespace tutti::studies
