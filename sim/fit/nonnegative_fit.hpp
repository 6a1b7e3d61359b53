// SPDX-License-Identifier: BSD-3-Clause
// Huber regression with nonnegative coefficients, since these are costs. Each round of reweighting
// solves the least-squares problem of C. L. Lawson and R. J. Hanson (Solving Least Squares
// Problems, 1974, chapter 23).
#pragma once

#include "sim/fit/line_fits.hpp"

namespace tutti::studies {

// Returns the x >= 0 that minimizes |X x - y|.
Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& X, const Eigen::VectorXd& y);

// Fits like huber_fit, with coefficients of at least 0. Coefficients at 0 have no variance; of
// columns that the data do not separate, some are 0.
RobustFit nonnegative_huber_fit(const Eigen::MatrixXd& X, const Eigen::VectorXd& y);

}  // namespace tutti::studies
