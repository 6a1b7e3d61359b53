// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/nonnegative_fit.hpp"

#include "sim/base/quantile.hpp"
#include "sim/fit/linear_algebra.hpp"

namespace tutti::studies {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// min |A x - b| with x >= 0, from A'A and A'b; columns of A have about unit length.
class NonnegativeSquares {
 public:
  NonnegativeSquares(const MatrixXd& gram, const VectorXd& moments)
      : gram_(gram), moments_(moments), x_(VectorXd::Zero(gram.cols())) {}

  VectorXd solve() {
    const Index most_rounds = 3 * gram_.cols();
    for (Index round = 0; round < most_rounds; ++round) {
      const auto next = steepest();
      if (!next) break;
      free_.push_back(*next);
      settle();
    }
    return x_;
  }

 private:
  // The column at 0 that reduces the sum of squares fastest.
  std::optional<Index> steepest() const {
    constexpr double nothing = 1e-10;
    const VectorXd descent = moments_ - gram_ * x_;
    std::optional<Index> best;
    for (Index i = 0; i < x_.size(); ++i) {
      if (std::ranges::find(free_, i) != free_.end() || descent[i] <= nothing) continue;
      if (!best || descent[i] > descent[*best]) best = i;
    }
    return best;
  }

  // Moves to the least-squares solution of the free columns; columns that reach 0 on the way stay
  // there.
  void settle() {
    while (!free_.empty()) {
      const VectorXd goal = of_free();
      double step = 1;
      for (std::size_t i = 0; i < free_.size(); ++i) {
        const double now = x_[free_[i]], then = goal[static_cast<Index>(i)];
        if (then <= 0) step = std::min(step, now / std::max(now - then, 1e-300));
      }
      for (std::size_t i = 0; i < free_.size(); ++i)
        x_[free_[i]] += step * (goal[static_cast<Index>(i)] - x_[free_[i]]);
      if (step == 1) return;
      std::erase_if(free_, [&](Index column) { return x_[column] <= 1e-14 * x_.maxCoeff(); });
      for (Index i = 0; i < x_.size(); ++i)
        if (std::ranges::find(free_, i) == free_.end()) x_[i] = 0;
    }
  }

  VectorXd of_free() const {
    const auto n = static_cast<Index>(free_.size());
    MatrixXd gram(n, n);
    VectorXd moments(n);
    for (Index i = 0; i < n; ++i) {
      moments[i] = moments_[free_[static_cast<std::size_t>(i)]];
      for (Index k = 0; k < n; ++k)
        gram(i, k) = gram_(free_[static_cast<std::size_t>(i)], free_[static_cast<std::size_t>(k)]);
    }
    return solve_symmetric(gram, moments);
  }

  const MatrixXd& gram_;
  const VectorXd& moments_;
  VectorXd x_;
  std::vector<Index> free_;
};

class NonnegativeReweighting {
 public:
  NonnegativeReweighting(const MatrixXd& X, const VectorXd& y)
      : X_(X), y_(y), weights_(VectorXd::Ones(y.size())) {}

  VectorXd solve() {
    constexpr int most_rounds = 50;
    for (int round = 0; round < most_rounds; ++round) {
      const MatrixXd weighted = weights_.asDiagonal() * X_;
      const MatrixXd gram = product_of_transposed(X_, weighted);
      const VectorXd moments = weighted.transpose() * y_;
      const VectorXd before = x_;
      x_ = NonnegativeSquares(gram, moments).solve();
      weigh();
      if (round > 0 && (x_ - before).norm() <= 1e-9 * x_.norm()) break;
    }
    return x_;
  }

  // Huber's estimate from the residuals, with the degrees of freedom left by the coefficients above
  // 0.
  double sigma() const {
    const auto n = static_cast<double>(y_.size());
    const auto free = static_cast<double>((x_.array() > 0).count());
    if (n <= free) return 0;
    const VectorXd residuals = y_ - X_ * x_;
    const VectorXd clipped = residuals.cwiseAbs().cwiseMin(huber_tuning * scale_);
    const double flat = (residuals.cwiseAbs().array() <= huber_tuning * scale_).count() / n;
    return std::sqrt(clipped.squaredNorm() / (n - free)) / std::max(flat, 1 / n);
  }

 private:
  void weigh() {
    constexpr double normal_median = 0.6745;
    const VectorXd sizes = (y_ - X_ * x_).cwiseAbs();
    const double least = 1e-9 * std::max(1e-300, y_.cwiseAbs().maxCoeff());
    scale_ = std::max(least, median_of({sizes.begin(), sizes.end()}) / normal_median);
    const double full = huber_tuning * scale_;
    weights_ = sizes.unaryExpr([full](double size) { return full / std::max(full, size); });
  }

  const MatrixXd& X_;
  const VectorXd& y_;
  VectorXd weights_;
  VectorXd x_;
  double scale_ = 0;
};

// (A'A)^-1 of the columns above 0; 0 elsewhere.
MatrixXd spread_of(const MatrixXd& unit, const VectorXd& x) {
  std::vector<Index> free;
  for (Index i = 0; i < x.size(); ++i)
    if (x[i] > 0) free.push_back(i);
  MatrixXd spread = MatrixXd::Zero(x.size(), x.size());
  if (free.empty()) return spread;
  const MatrixXd A = unit(Eigen::all, free);
  const MatrixXd inverse = pseudo_inverse(product_of_transposed(A, A));
  for (std::size_t i = 0; i < free.size(); ++i)
    for (std::size_t k = 0; k < free.size(); ++k)
      spread(free[i], free[k]) = inverse(static_cast<Index>(i), static_cast<Index>(k));
  return spread;
}

}  // namespace

VectorXd nonnegative_least_squares(const MatrixXd& X, const VectorXd& y) {
  const MatrixXd gram = product_of_transposed(X, X);
  const VectorXd moments = X.transpose() * y;
  return NonnegativeSquares(gram, moments).solve();
}

RobustFit nonnegative_huber_fit(const MatrixXd& X, const VectorXd& y) {
  RobustFit fit = column_space(X);
  const MatrixXd unit = X * fit.scales.cwiseInverse().asDiagonal();
  NonnegativeReweighting reweighting(unit, y);
  const VectorXd x = reweighting.solve();
  fit.coefficients = x.cwiseQuotient(fit.scales);
  fit.sigma = reweighting.sigma();
  const MatrixXd to_units = fit.scales.cwiseInverse().asDiagonal();
  fit.covariance = fit.sigma * fit.sigma * to_units * spread_of(unit, x) * to_units;
  return fit;
}

}  // namespace tutti::studies
