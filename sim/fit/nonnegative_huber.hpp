// SPDX-License-Identifier: BSD-3-Clause
// Huber's regression (huber.hpp) with coefficients that are not below 0: those of costs. In each
// round of reweighting the least squares are C. L. Lawson's and R. J. Hanson's (Solving Least
// Squares Problems, 1974, chapter 23).
#pragma once

#include "sim/studies/huber.hpp"

namespace tutti::studies {

// min |X x - y| with x >= 0.
Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& X, const Eigen::VectorXd& y);

// As huber_fit. Coefficients that end at 0 have no variance; of columns that the data do not tell
// apart some are 0.
RobustFit nonnegative_huber_fit(const Eigen::MatrixXd& X, const Eigen::VectorXd& y);

}  // namespace tutti::studies
