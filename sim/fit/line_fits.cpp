// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/line_fits.hpp"

#include "sim/base/quantile.hpp"

namespace tutti::studies {
namespace {

constexpr std::size_t least_points = 3;

bool fits(const StraightLine& line, std::span<const DataPoint> points, double tolerance) {
  return std::ranges::all_of(points, [&](const DataPoint& point) {
    return std::abs(line(point.x) - point.y) <= tolerance * std::abs(point.y);
  });
}

}  // namespace

StraightLine least_squares(std::span<const DataPoint> points) {
  const auto count = static_cast<double>(points.size());
  double mean_x = 0;
  double mean_y = 0;
  for (const auto& [x, y] : points) {
    mean_x += x / count;
    mean_y += y / count;
  }
  double xx = 0;
  double xy = 0;
  for (const auto& [x, y] : points) {
    xx += (x - mean_x) * (x - mean_x);
    xy += (x - mean_x) * (y - mean_y);
  }
  const double slope = xy / xx;
  return {.at_0 = mean_y - slope * mean_x, .slope = slope, .points = points.size()};
}

std::optional<StraightLine> line_at_end(std::span<const DataPoint> points) {
  for (const double tolerance : {1e-8, 1e-6, 1e-4, 1e-3}) {
    std::optional<StraightLine> found;
    for (std::size_t count = least_points; count <= points.size(); ++count) {
      const auto last = points.last(count);
      const StraightLine line = least_squares(last);
      if (!fits(line, last, tolerance)) break;
      found = line;
    }
    if (found) return found;
  }
  return std::nullopt;
}

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double singular_tolerance = 1e-9;
constexpr double most_leverage = 0.9999;
constexpr double normal_mad = 0.6745;  // median of |a standard normal number|
constexpr double normal_95 = 1.96;
constexpr int most_iterations = 100;

using Svd = Eigen::JacobiSVD<MatrixXd>;

Svd svd_of(const MatrixXd& X) {
  Svd svd(X, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(singular_tolerance);
  return svd;
}

// Drops the smallest rank - 1 residuals, which are small because of the fit itself.
double scale_of(const VectorXd& residuals, Index rank) {
  std::vector<double> sizes(static_cast<std::size_t>(residuals.size()));
  for (Index i = 0; i < residuals.size(); ++i)
    sizes[static_cast<std::size_t>(i)] = std::abs(residuals[i]);
  std::sort(sizes.begin(), sizes.end());
  const auto dropped = std::clamp<Index>(rank - 1, 0, residuals.size() - 1);
  return median_of({sizes.begin() + dropped, sizes.end()}) / normal_mad;
}

class Reweighting {
 public:
  Reweighting(const MatrixXd& X, const VectorXd& y) : X_(X), y_(y) {
    const Svd svd = svd_of(X);
    rank_ = svd.rank();
    leverages_ = svd.matrixU().leftCols(rank_).rowwise().squaredNorm().cwiseMin(most_leverage);
    solution_ = svd.solve(y);
    ordinary_squares_ = (y - X * solution_).squaredNorm();
    least_scale_ = 1e-6 * std::sqrt((y.array() - y.mean()).square().mean());
    if (least_scale_ == 0) least_scale_ = 1e-12 * std::max(1.0, y.cwiseAbs().maxCoeff());
  }

  VectorXd solve() {
    for (int i = 0; i < most_iterations; ++i) {
      scaled_ = scaled_residuals();
      const VectorXd roots = scaled_.unaryExpr(
          [](double u) { return std::sqrt(std::min(1.0, 1 / std::max(std::abs(u), 1e-300))); });
      const VectorXd before = solution_;
      solution_ = svd_of(roots.asDiagonal() * X_).solve(roots.cwiseProduct(y_));
      if ((solution_ - before).norm() <= 1e-10 * solution_.norm()) break;
    }
    scaled_ = scaled_residuals();
    return solution_;
  }

  // The estimator of DuMouchel and O'Brien, limited from below by ordinary least squares for small
  // samples.
  double sigma() const {
    const auto n = static_cast<double>(y_.size());
    const auto p = static_cast<double>(rank_);
    if (n <= p) return 0;
    const VectorXd psi = scaled_.unaryExpr([](double u) { return std::clamp(u, -1.0, 1.0); });
    const double flat = static_cast<double>((scaled_.cwiseAbs().array() <= 1).count()) / n;
    if (flat == 0) return scale_;
    const double squares = psi.cwiseAbs2().dot((1 - leverages_.array()).matrix());
    const double robust = (1 + p / n * (1 - flat) / flat) * std::sqrt(squares / (n - p)) * scale_ *
                          huber_tuning / flat;
    const double ordinary = ordinary_squares_ / (n - p);
    return std::max(robust, std::sqrt((ordinary * p * p + n * robust * robust) / (p * p + n)));
  }

 private:
  VectorXd scaled_residuals() {
    const VectorXd adjusted = (y_ - X_ * solution_).array() / (1 - leverages_.array()).sqrt();
    scale_ = std::max(scale_of(adjusted, rank_), least_scale_);
    return adjusted / (scale_ * huber_tuning);
  }

  const MatrixXd& X_;
  const VectorXd& y_;
  Index rank_ = 0;
  VectorXd leverages_, solution_, scaled_;
  double ordinary_squares_ = 0;  // sum of squared residuals of the unweighted fit
  double scale_ = 0;
  double least_scale_ = 0;
};

}  // namespace

RobustFit column_space(const MatrixXd& X) {
  RobustFit fit;
  fit.scales = X.colwise().norm().transpose().unaryExpr([](double s) { return s > 0 ? s : 1; });
  const Svd svd = svd_of(X * fit.scales.cwiseInverse().asDiagonal());
  fit.rank = svd.rank();
  fit.row_space = svd.matrixV().leftCols(fit.rank);
  fit.singular_values = svd.singularValues().head(fit.rank);
  if (fit.rank > 0) fit.condition = fit.singular_values[0] / fit.singular_values[fit.rank - 1];
  return fit;
}

RobustFit huber_fit(const MatrixXd& X, const VectorXd& y) {
  RobustFit fit = column_space(X);
  const MatrixXd unit = X * fit.scales.cwiseInverse().asDiagonal();
  Reweighting reweighting(unit, y);
  fit.coefficients = reweighting.solve().cwiseQuotient(fit.scales);
  fit.sigma = reweighting.sigma();
  const MatrixXd spread = fit.scales.cwiseInverse().asDiagonal() * fit.row_space *
                          fit.singular_values.cwiseInverse().asDiagonal();
  fit.covariance = fit.sigma * fit.sigma * spread * spread.transpose();
  return fit;
}

bool RobustFit::determines(const VectorXd& combination) const {
  constexpr double tolerance = 1e-6;
  const VectorXd unit = combination.cwiseQuotient(scales);
  const VectorXd outside = unit - row_space * (row_space.transpose() * unit);
  return outside.norm() <= tolerance * unit.norm();
}

double RobustFit::value(const VectorXd& combination) const { return combination.dot(coefficients); }

double RobustFit::half_width(const VectorXd& combination) const {
  return normal_95 * std::sqrt(std::max(0.0, combination.dot(covariance * combination)));
}

}  // namespace tutti::studies
