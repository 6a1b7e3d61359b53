// SPDX-License-Identifier: BSD-3-Clause
// Fits of straight lines and linear models to measured points, by least squares.
#pragma once

#include <Eigen/Dense>

#include "sim/base/common.hpp"

namespace tutti::studies {

struct DataPoint {
  double x = 0;
  double y = 0;
};

struct StraightLine {
  double at_0 = 0;
  double slope = 0;
  std::size_t points = 0;  // number of points used for the fit

  double operator()(double x) const { return at_0 + slope * x; }
};

// Fits a line to all points, whose x must not all be equal.
StraightLine least_squares(std::span<const DataPoint> points);

// Fits a line to the last points, as many of them as lie on one line; x must ascend. The tolerated
// relative deviation is the smallest of 1e-8, 1e-6, 1e-4 and 1e-3 with at least three points:
// simulated times are exact, but flows that share a link bend their curves. Unset if there are no
// three such points.
std::optional<StraightLine> line_at_end(std::span<const DataPoint> points);

// Linear regression by Huber's M-estimator (P. J. Huber, Robust Statistics, 1981), by iteratively
// reweighted least squares: outliers count by their distance, not by its square. Residuals are
// divided by sqrt(1 - leverage) and by a scale from their median, as in W. DuMouchel, F. O'Brien,
// Integrating a robust option into a multiple regression computing environment (1989).

// Residuals beyond this many scales are down-weighted; 95 % efficient if there are no outliers.
inline constexpr double huber_tuning = 1.345;

struct RobustFit {
  Eigen::VectorXd coefficients;  // the minimum-norm solution if the data do not determine them
  Eigen::MatrixXd covariance;    // of the determined combinations
  double sigma = 0;              // scale of an observation
  Eigen::Index rank = 0;
  // Condition number: largest over smallest nonzero singular value of the columns at unit length.
  double condition = 0;
  Eigen::VectorXd scales;           // each column's length; 1 where it is 0
  Eigen::MatrixXd row_space;        // of the columns at unit length: an orthonormal basis
  Eigen::VectorXd singular_values;  // of the same, nonzero, in descending order

  // True if the data determine this linear combination of the coefficients.
  bool determines(const Eigen::VectorXd& combination) const;
  double value(const Eigen::VectorXd& combination) const;
  // Half-width of the 95 % confidence interval of the combination.
  double half_width(const Eigen::VectorXd& combination) const;
};

// Fills only the members that depend on the columns: rank, condition, scales, row_space,
// singular_values.
RobustFit column_space(const Eigen::MatrixXd& X);

// Fits y = X * coefficients, with at least one row. Rows must have equal accuracy; scale them if
// they do not.
RobustFit huber_fit(const Eigen::MatrixXd& X, const Eigen::VectorXd& y);

}  // namespace tutti::studies
