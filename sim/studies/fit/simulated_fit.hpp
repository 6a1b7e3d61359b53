// SPDX-License-Identifier: BSD-3-Clause
// Numbers moved until simulated times are as near to measured ones as they can be: Levenberg and
// Marquardt's steps on the logarithms of the times, with Huber's weights.
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <string>
#include <vector>

#include "platforms/machine.hpp"
#include "sim/studies/fit/collective_table.hpp"
#include "sim/studies/fit/protocol_fit.hpp"

namespace tutti::studies {

struct SimulatedModel {
  const std::vector<MeasuredCollective>& measured;
  // The machine that has these numbers.
  std::function<Result<platforms::Machine>(const Eigen::VectorXd&)> machine_of;
  // Rows that prefer some numbers where no time tells them apart: far below what a time says.
  std::function<Eigen::VectorXd(const Eigen::VectorXd&)> preferences;
};

struct SimulatedFit {
  Eigen::VectorXd numbers;
  double loss = 0;
  Eigen::VectorXd residuals;  // log(simulated / measured)
};

// Errors: what cannot be simulated, what `machine_of` refuses.
Result<SimulatedFit> fit_by_simulation(const SimulatedModel& model, Eigen::VectorXd start);

// How well the times tell the numbers, or a function of them, near a fit.
class Sensitivity {
 public:
  static Result<Sensitivity> of(const SimulatedModel& model, const SimulatedFit& fit);

  double condition() const;  // greatest over least singular value
  // Half of the 95 % interval of a value that changes so with each number; infinite where it
  // depends on what the times leave open.
  double half_width(const Eigen::VectorXd& gradient) const;

 private:
  Eigen::MatrixXd directions_;
  Eigen::VectorXd singular_;
  double sigma_ = 0;
};

// A value whose logarithm has this half of a 95 % interval: fitted, uncertain, or assumed, since
// many values fit.
FittedParameter told_by_times(std::string name, std::string unit, double value, double half);

}  // namespace tutti::studies
