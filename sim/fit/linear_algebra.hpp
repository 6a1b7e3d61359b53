// SPDX-License-Identifier: BSD-3-Clause
// The products and decompositions of matrices that fits need. Their templates take long to compile:
// only linear_algebra.cpp and line_fits.cpp instantiate them.
#pragma once

#include <Eigen/Core>

namespace tutti::studies {

// Returns A' B.
Eigen::MatrixXd product_of_transposed(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

// Returns J' W J with the diagonal matrix W of the weights.
Eigen::MatrixXd weighted_squares(const Eigen::MatrixXd& J, const Eigen::VectorXd& weights);

// Solves A x = b for a symmetric matrix A, which may be singular.
Eigen::VectorXd solve_symmetric(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

// Solves A x = b by QR decomposition with pivots.
Eigen::VectorXd solve_by_pivots(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

// Returns the Moore-Penrose inverse.
Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& A);

// Returns the diagonal of the inverse of a regular matrix.
Eigen::VectorXd diagonal_of_inverse(const Eigen::MatrixXd& A);

// Returns the singular values in descending order.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);

}  // namespace tutti::studies
