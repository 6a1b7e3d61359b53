// SPDX-License-Identifier: BSD-3-Clause
// Numbers moved until simulated times are as near to measured ones as they can be, and the numbers
// as near to what is known of them: Levenberg and Marquardt's steps on the logarithms of the times,
// with Huber's weights. The Jacobian comes from forward differences, of those times only that
// depend on a number; between two such, Schubert's update keeps it (Math. Comp. 24, 1970).
#pragma once

#include <Eigen/Dense>

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/collective_table.hpp"
#include "sim/fit/protocol_fit.hpp"

namespace tutti::studies {

// Standard deviation of log(simulated / measured) that is borne: no protocol is exact.
inline constexpr double borne_scatter = 0.1;

struct SimulatedModel {
  const std::vector<MeasuredCollective>& measured;
  // The machine that has these numbers, with the torus of a job, "4x4x4"; empty: its own.
  std::function<Result<platforms::Machine>(const Eigen::VectorXd&, const std::string& torus)>
      machine_of;
  // Rows of (number - prior mean) / (prior standard deviation), or of other linear combinations.
  std::function<Eigen::VectorXd(const Eigen::VectorXd&)> preferences;
  // Of the residuals, as far as the preferences are weighed against them.
  double scatter = borne_scatter;
  int jobs = 1;                                           // processes that simulate at once
  std::function<void(const std::string&)> progress = {};  // gets a line about each step
};

struct SimulatedFit {
  Eigen::VectorXd numbers;
  double loss = 0;
  Eigen::VectorXd residuals;  // log(simulated / measured), then preferences times scatter
  Eigen::MatrixXd jacobian;   // of the residuals, at the numbers or near them
};

inline constexpr int enough_jacobians = 25;

// `jacobian`: one near the start, in place of a new one. It ends where a step gains little by a new
// Jacobian, or no more of these may be made. Errors: what cannot be simulated, what `machine_of`
// rejects.
Result<SimulatedFit> fit_by_simulation(const SimulatedModel& model, Eigen::VectorXd start,
                                       std::optional<Eigen::MatrixXd> jacobian = {},
                                       int most_jacobians = enough_jacobians);

// log(simulated / measured) of all measured times.
Result<Eigen::VectorXd> log_errors(const SimulatedModel& model, const Eigen::VectorXd& numbers);

// How well times and priors together determine the numbers, or a function of them, near a fit: the
// linearised posterior, with the scatter of the residuals.
class Posterior {
 public:
  // `times`: how many of the fit's residuals are times; `scatter`: the model's.
  Posterior(const SimulatedFit& fit, Eigen::Index times, double scatter = borne_scatter);

  double scatter() const { return scatter_; }  // of the residuals, as the fit leaves them

  double condition() const { return condition_; }  // greatest over least singular value
  // Half of the 95 % interval of a value that changes so with each number.
  double half_width(const Eigen::VectorXd& gradient) const;
  double prior_half_width(const Eigen::VectorXd& gradient) const;  // the same before the times

 private:
  Eigen::MatrixXd covariance_;
  Eigen::MatrixXd prior_covariance_;
  double condition_ = 0;
  double scatter_ = 0;
};

// A value whose logarithm has this half of a 95 % interval, and had the other one before the times:
// fitted, uncertain, prior, or assumed, since many values fit.
FittedParameter reported_by_times(std::string name, std::string unit, double value, double half,
                                  double prior_half);

}  // namespace tutti::studies
