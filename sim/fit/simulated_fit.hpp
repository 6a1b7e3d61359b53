// SPDX-License-Identifier: BSD-3-Clause
// Varies numbers until simulated times are as close as possible to measured ones, and the numbers
// to their priors: Levenberg-Marquardt steps on the logarithms of the times, with Huber's weights.
// Forward differences compute the Jacobian, only for times that depend on a number; between two of
// these computations Schubert's update (Math. Comp. 24, 1970) corrects it.
#pragma once

#include <Eigen/Core>

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/collective_table.hpp"
#include "sim/fit/protocol_fit.hpp"

namespace tutti::studies {

// Accepted standard deviation of log(simulated / measured): no protocol is exact.
inline constexpr double borne_scatter = 0.1;

// The runs that measured the times. Runs differ in their nodes, in the traffic of other jobs and in
// settings of the library: each has its own latency and its own time per byte, those of the machine
// times e^a and e^b. a and b are random effects with mean 0 (Laird and Ware, Biometrics 38, 1982).
// They follow the model's numbers: first a of each run, then b of each run.
struct RunEffects {
  std::vector<Eigen::Index> run_of_row = {};  // -1: a row without effects
  Eigen::Index runs = 0;
  std::vector<bool> is_latency = {};  // of each number of the model: it is a time, not a rate
  double latency_sd = 0.1;            // standard deviations of a and b
  double byte_sd = 0.1;

  Eigen::Index count() const { return 2 * runs; }
};

struct SimulatedModel {
  const std::vector<MeasuredCollective>& measured;
  // Returns the machine with these numbers and the torus of a job, "4x4x4"; an empty torus stands
  // for the machine's own.
  std::function<Result<platforms::Machine>(const Eigen::VectorXd&, const std::string& torus)>
      machine_of;
  // Returns (number - prior mean) / (prior standard deviation) for each number, and the same for
  // other linear combinations. Neither function is given the effects of runs.
  std::function<Eigen::VectorXd(const Eigen::VectorXd&)> preferences;
  // Scatter of the residuals, the unit in which the preferences are weighted.
  double scatter = borne_scatter;
  int jobs = 1;                                           // parallel simulations
  std::function<void(const std::string&)> progress = {};  // receives a line about each step
  RunEffects effects = {};

  // Returns the model of other rows, which must outlive it, without progress.
  SimulatedModel of_rows(const std::vector<MeasuredCollective>& rows,
                         RunEffects of_runs = {}) const {
    return {rows, machine_of, preferences, scatter, jobs, {}, std::move(of_runs)};
  }
};

struct SimulatedFit {
  Eigen::VectorXd numbers;  // those of the model, then the effects of runs
  double loss = 0;
  // log(simulated / measured), including the effects of runs; then preferences times scatter, and
  // effects divided by their standard deviations times scatter
  Eigen::VectorXd residuals;
  Eigen::MatrixXd jacobian;  // of the residuals, at or near the numbers
};

inline constexpr int enough_jacobians = 25;

// Fits the numbers. `jacobian` is one near the start, to use instead of a new one. The fit ends
// when a step with a new Jacobian gains little, or when the number of Jacobians is exhausted.
// Errors: calls that cannot be simulated, machines that `machine_of` rejects.
Result<SimulatedFit> fit_by_simulation(const SimulatedModel& model, Eigen::VectorXd start,
                                       std::optional<Eigen::MatrixXd> jacobian = {},
                                       int most_jacobians = enough_jacobians);

// Returns log(simulated / measured) of all measured times, without effects of runs.
Result<Eigen::VectorXd> log_errors(const SimulatedModel& model, const Eigen::VectorXd& numbers);

// The loss of residuals, in units of the accepted scatter: Huber's of the first `times`, whose
// outliers count less, and the squares of the others.
double robust_loss(const Eigen::VectorXd& residuals, Eigen::Index times);
// The weights of their squares in a step that reduces the loss.
Eigen::VectorXd robust_weights(const Eigen::VectorXd& residuals, Eigen::Index times);

// Precision of the numbers, or of functions of them, from times and priors together: the linearized
// posterior near a fit, with the scatter of the residuals.
class Posterior {
 public:
  // The first `times` residuals of the fit are times; `scatter` is that of its model.
  Posterior(const SimulatedFit& fit, Eigen::Index times, double scatter = borne_scatter);

  double scatter() const { return scatter_; }  // of the residuals that the fit leaves
  // Variance of the number with this index.
  double variance(Eigen::Index number) const { return covariance_(number, number); }

  double condition() const { return condition_; }  // greatest over least singular value
  // Returns half of the 95 % interval of a value with this gradient by the numbers.
  double half_width(const Eigen::VectorXd& gradient) const;
  double prior_half_width(const Eigen::VectorXd& gradient) const;  // the same without the times

 private:
  Eigen::MatrixXd covariance_;
  Eigen::MatrixXd prior_covariance_;
  double condition_ = 0;
  double scatter_ = 0;
};

}  // namespace tutti::studies
