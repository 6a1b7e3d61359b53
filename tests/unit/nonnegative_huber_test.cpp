// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "sim/base/random.hpp"
#include "sim/fit/nonnegative_fit.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using tests::close_to;

namespace {

MatrixXd random_matrix(std::uint64_t seed, Eigen::Index rows, Eigen::Index columns) {
  MatrixXd X(rows, columns);
  for (Eigen::Index row = 0; row < rows; ++row)
    for (Eigen::Index column = 0; column < columns; ++column)
      X(row, column) =
          random_uniform(seed, static_cast<std::uint64_t>(column), static_cast<std::uint64_t>(row));
  return X;
}

// The least squares over all choices of the nonzero columns: the minimum, by brute force.
double least_squares_of_any_face(const MatrixXd& X, const VectorXd& y) {
  double least = y.squaredNorm();
  for (int chosen = 1; chosen < 1 << X.cols(); ++chosen) {
    std::vector<Eigen::Index> columns;
    for (Eigen::Index i = 0; i < X.cols(); ++i)
      if ((chosen >> i & 1) != 0) columns.push_back(i);
    const MatrixXd A = X(Eigen::all, columns);
    const VectorXd x = A.colPivHouseholderQr().solve(y);
    if ((x.array() >= 0).all()) least = std::min(least, (y - A * x).squaredNorm());
  }
  return least;
}

}  // namespace

TEST_CASE("coefficients above 0 are recovered, others become 0") {
  const MatrixXd X = random_matrix(1, 40, 3);
  const auto all = nonnegative_huber_fit(X, X * Eigen::Vector3d(2, 0.5, 1e-3));
  CHECK(all.coefficients[0] == close_to(2, 1e-6));
  CHECK(all.coefficients[1] == close_to(0.5, 1e-6));
  CHECK(all.coefficients[2] == close_to(1e-3, 1e-4));
  CHECK(all.determines(Eigen::Vector3d(0, 1, 0)));
  const auto bound = nonnegative_huber_fit(X, X * Eigen::Vector3d(2, -0.5, 1));
  CHECK(bound.coefficients[1] == 0);
  CHECK(bound.half_width(Eigen::Vector3d(0, 1, 0)) == 0);
  CHECK(bound.half_width(Eigen::Vector3d(1, 0, 0)) > 0);
}

TEST_CASE("without outliers the result is that of nonnegative least squares") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const MatrixXd X = random_matrix(seed, 6, 4);
    VectorXd y(6);
    for (Eigen::Index i = 0; i < 6; ++i)
      y[i] = random_uniform(seed, 9, static_cast<std::uint64_t>(i)) - 0.3;
    const VectorXd x = nonnegative_least_squares(X, y);
    CHECK(x.minCoeff() >= 0);
    CHECK((y - X * x).squaredNorm() == close_to(least_squares_of_any_face(X, y), 1e-7));
  }
}

TEST_CASE("outliers have little influence") {
  const MatrixXd X = random_matrix(3, 60, 2);
  VectorXd y = X * Eigen::Vector2d(1, 2);
  for (Eigen::Index i = 0; i < 60; ++i)
    y[i] *= 1 + 0.02 * (random_uniform(3, 8, static_cast<std::uint64_t>(i)) - 0.5);
  for (Eigen::Index i = 4; i < 60; i += 10) y[i] *= 5;
  const auto fit = nonnegative_huber_fit(X, y);
  CHECK(fit.coefficients[0] == close_to(1, 0.05));
  CHECK(fit.coefficients[1] == close_to(2, 0.05));
}

TEST_CASE("columns that the data do not separate still predict") {
  MatrixXd X(3, 2);
  X << 1, 2, 2, 4, 3, 6;
  const auto fit = nonnegative_huber_fit(X, Eigen::Vector3d(5, 10, 15));
  CHECK_FALSE(fit.determines(Eigen::Vector2d(1, 0)));
  CHECK(fit.value(Eigen::Vector2d(1, 2)) == close_to(5, 1e-9));
}
