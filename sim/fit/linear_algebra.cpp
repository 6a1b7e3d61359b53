// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/linear_algebra.hpp"

#include <Eigen/Dense>

namespace tutti::studies {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd product_of_transposed(const MatrixXd& A, const MatrixXd& B) { return A.transpose() * B; }

MatrixXd weighted_squares(const MatrixXd& J, const VectorXd& weights) {
  return J.transpose() * weights.asDiagonal() * J;
}

VectorXd solve_symmetric(const MatrixXd& A, const VectorXd& b) { return A.ldlt().solve(b); }

VectorXd solve_by_pivots(const MatrixXd& A, const VectorXd& b) {
  return A.colPivHouseholderQr().solve(b);
}

MatrixXd pseudo_inverse(const MatrixXd& A) {
  return A.completeOrthogonalDecomposition().pseudoInverse();
}

VectorXd diagonal_of_inverse(const MatrixXd& A) { return A.inverse().diagonal(); }

VectorXd singular_values(const MatrixXd& A) {
  return Eigen::JacobiSVD<MatrixXd>(A).singularValues();
}

}  // namespace tutti::studies
