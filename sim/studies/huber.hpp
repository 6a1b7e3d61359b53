// SPDX-License-Identifier: BSD-3-Clause
// Linear regression by Huber's M-estimator (P. J. Huber, Robust Statistics, 1981), by iteratively
// reweighted least squares: outliers count by their distance, not by its square. Residuals are
// divided by sqrt(1 - leverage) and by a scale from their median, as in W. DuMouchel, F. O'Brien,
// Integrating a robust option into a multiple regression computing environment (1989).
#pragma once

#include <Eigen/Dense>

namespace tutti::studies {

// Residuals beyond so many scales count less: 95 % efficient where there are no outliers.
inline constexpr double huber_tuning = 1.345;

struct RobustFit {
  Eigen::VectorXd coefficients;  // the smallest that fit, where the data do not determine them
  Eigen::MatrixXd covariance;    // of what the data determine
  double sigma = 0;              // scale of an observation
  Eigen::Index rank = 0;
  // Greatest over least singular value that is not 0, of the columns at unit length.
  double condition = 0;
  Eigen::VectorXd scales;           // each column's length; 1 where it is 0
  Eigen::MatrixXd row_space;        // of the columns at unit length: an orthonormal basis
  Eigen::VectorXd singular_values;  // of the same, those that are not 0, the largest first

  // Whether the data determine the sum of so many of each coefficient.
  bool determines(const Eigen::VectorXd& combination) const;
  double value(const Eigen::VectorXd& combination) const;
  // Half of its 95 % confidence interval.
  double half_width(const Eigen::VectorXd& combination) const;
};

// What the columns determine, before any fit: rank, condition, scales, row_space, singular_values.
RobustFit column_space(const Eigen::MatrixXd& X);

// y is about X times coefficients. At least one row. Rows are as exact as each other: scale those
// that are not.
RobustFit huber_fit(const Eigen::MatrixXd& X, const Eigen::VectorXd& y);

}  // namespace tutti::studies
