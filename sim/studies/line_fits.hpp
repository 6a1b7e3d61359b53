// SPDX-License-Identifier: BSD-3-Clause
// Straight lines through measured points, by least squares.
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
  std::size_t points = 0;  // that lie on it

  double operator()(double x) const { return at_0 + slope * x; }
};

// Through all points, whose x are not all the same.
StraightLine least_squares(std::span<const DataPoint> points);

// Through the last points, as many of them as lie on one line; x ascends. The deviation that is
// borne (relative) is as small as three points allow, and 1e-3 at most: simulated times are exact,
// but flows that share a link bend their curves. Nothing where there are no three such points.
std::optional<StraightLine> line_at_end(std::span<const DataPoint> points);

// Linear regression by Huber's M-estimator (P. J. Huber, Robust Statistics, 1981), by iteratively
// reweighted least squares: outliers count by their distance, not by its square. Residuals are
// divided by sqrt(1 - leverage) and by a scale from their median, as in W. DuMouchel, F. O'Brien,
// Integrating a robust option into a multiple regression computing environment (1989).

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
