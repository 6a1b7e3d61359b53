// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>

#include "sim/base/random.hpp"
#include "sim/fit/line_fits.hpp"
#include "tests/support/close_to.hpp"

#ifdef TUTTI_GSL
#include <gsl/gsl_multifit.h>
#endif

using namespace tutti;
using namespace tutti::studies;

namespace {

using tests::close_to;

using Eigen::MatrixXd;
using Eigen::VectorXd;

double normal(std::uint64_t seed, std::uint64_t i) {
  return std::sqrt(2 * random_exponential(seed, 0, i)) *
         std::cos(2 * M_PI * random_uniform(seed, 1, i));
}

struct Data {
  MatrixXd X;
  VectorXd y;
};

// y = 3 + 2 x - x^2 with noise 0.1; every tenth point is far above.
Data noisy(std::uint64_t seed, int points = 60) {
  Data data{MatrixXd(points, 3), VectorXd(points)};
  for (int i = 0; i < points; ++i) {
    const double x = 4.0 * i / points;
    data.X.row(i) << 1, x, x * x;
    data.y[i] = 3 + 2 * x - x * x + 0.1 * normal(seed, i) + (i % 10 == 3 ? 5 : 0);
  }
  return data;
}

TEST_CASE("a straight line is recovered exactly, with negligible error") {
  MatrixXd X(4, 2);
  X << 1, 0, 1, 1, 1, 2, 1, 3;
  const VectorXd y = X * Eigen::Vector2d(2, 0.5);
  const auto fit = huber_fit(X, y);
  CHECK(fit.coefficients[0] == close_to(2, 1e-9));
  CHECK(fit.coefficients[1] == close_to(0.5, 1e-9));
  CHECK(fit.sigma < 1e-5);
  CHECK(fit.rank == 2);
  CHECK(fit.condition < 10);
}

TEST_CASE("outliers have little influence on the coefficients") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto [X, y] = noisy(seed);
    const auto fit = huber_fit(X, y);
    CHECK(std::abs(fit.coefficients[0] - 3) < 0.2);
    CHECK(std::abs(fit.coefficients[1] - 2) < 0.3);
    CHECK(std::abs(fit.coefficients[2] + 1) < 0.1);
  }
}

TEST_CASE("95% of the confidence intervals contain the true value") {
  int inside = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Data data{MatrixXd(40, 2), VectorXd(40)};
    for (int i = 0; i < 40; ++i) {
      data.X.row(i) << 1, i;
      data.y[i] = 1 + 0.5 * i + normal(seed, i);
    }
    const auto fit = huber_fit(data.X, data.y);
    const VectorXd slope = VectorXd::Unit(2, 1);
    inside += std::abs(fit.value(slope) - 0.5) <= fit.half_width(slope);
  }
  CHECK(inside >= 180);
}

TEST_CASE("undetermined coefficients are reported, but their sum is determined") {
  MatrixXd X(5, 3);  // the first two columns are always equal
  for (int i = 0; i < 5; ++i) X.row(i) << 1, 1, i;
  const VectorXd y = X * Eigen::Vector3d(1, 2, 4);
  const auto fit = huber_fit(X, y);
  CHECK(fit.rank == 2);
  CHECK_FALSE(fit.determines(Eigen::Vector3d(1, 0, 0)));
  CHECK_FALSE(fit.determines(Eigen::Vector3d(0, 1, 0)));
  CHECK(fit.determines(Eigen::Vector3d(1, 1, 0)));
  CHECK(fit.value(Eigen::Vector3d(1, 1, 0)) == close_to(3, 1e-9));
  CHECK(fit.determines(Eigen::Vector3d(0, 0, 1)));
}

TEST_CASE("columns of very different scale do not disturb the rank") {
  MatrixXd X(6, 2);  // seconds, and seconds per byte
  for (int i = 0; i < 6; ++i) X.row(i) << 1, 1e9 * i;
  const auto fit = huber_fit(X, X * Eigen::Vector2d(1e-6, 1e-10));
  CHECK(fit.rank == 2);
  CHECK(fit.coefficients[1] == close_to(1e-10, 1e-9));
}

TEST_CASE("a single observation is reproduced exactly") {
  const auto fit = huber_fit(MatrixXd::Ones(1, 1), VectorXd::Constant(1, 7));
  CHECK(fit.coefficients[0] == close_to(7, 1e-9));
  CHECK(fit.sigma == 0);
}

#ifdef TUTTI_GSL
struct GslFit {
  VectorXd coefficients;
  MatrixXd covariance;
};

GslFit gsl_fit(const Data& data) {
  const auto n = static_cast<std::size_t>(data.X.rows());
  const auto p = static_cast<std::size_t>(data.X.cols());
  gsl_matrix* X = gsl_matrix_alloc(n, p);
  gsl_vector* y = gsl_vector_alloc(n);
  gsl_vector* c = gsl_vector_alloc(p);
  gsl_matrix* covariance = gsl_matrix_alloc(p, p);
  for (std::size_t i = 0; i < n; ++i) {
    gsl_vector_set(y, i, data.y[static_cast<Eigen::Index>(i)]);
    for (std::size_t j = 0; j < p; ++j)
      gsl_matrix_set(X, i, j, data.X(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
  }
  auto* work = gsl_multifit_robust_alloc(gsl_multifit_robust_huber, n, p);
  gsl_multifit_robust(X, y, c, covariance, work);
  GslFit fit{VectorXd(data.X.cols()), MatrixXd(data.X.cols(), data.X.cols())};
  for (std::size_t i = 0; i < p; ++i) {
    fit.coefficients[static_cast<Eigen::Index>(i)] = gsl_vector_get(c, i);
    for (std::size_t j = 0; j < p; ++j)
      fit.covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          gsl_matrix_get(covariance, i, j);
  }
  gsl_multifit_robust_free(work);
  gsl_matrix_free(covariance);
  gsl_vector_free(c);
  gsl_vector_free(y);
  gsl_matrix_free(X);
  return fit;
}

TEST_CASE("coefficients and covariance equal those of GSL's robust fit") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Data data = noisy(seed);
    const auto ours = huber_fit(data.X, data.y);
    const auto theirs = gsl_fit(data);
    for (int i = 0; i < 3; ++i) {
      CHECK(ours.coefficients[i] == close_to(theirs.coefficients[i], 1e-5));
      CHECK(ours.covariance(i, i) / theirs.covariance(i, i) == close_to(1, 0.01));
    }
  }
}
#endif

}  // namespace
