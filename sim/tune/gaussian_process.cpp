// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/gaussian_process.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tutti::studies::tuning {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Matern 5/2, twice differentiable: [4.17].
ArrayXd matern(const ArrayXd& squares) {
  const ArrayXd s = (5 * squares).sqrt();
  return (1 + s + s.square() / 3) * (-s).exp();
}

VectorXd weights_of(const ProcessShape& shape) { return shape.lengths.array().square().inverse(); }

MatrixXd covariance(const Features& features, const ProcessShape& shape, const MatrixXd& points) {
  const VectorXd weights = weights_of(shape);
  MatrixXd K(points.cols(), points.cols());
  for (Index i = 0; i < points.cols(); ++i) {
    const Index rest = points.cols() - i;
    K.col(i).tail(rest) =
        matern(features.squares(points.rightCols(rest), points.col(i), weights)).matrix();
    K(i, i) += shape.nugget;
  }
  return K;  // the lower triangle
}

constexpr double length_grid[] = {0.1, 0.2, 0.4, 0.7, 1, 1.5, 2.5, 4, 8, 20};
constexpr double nugget_grid[] = {1e-6, 1e-4, 1e-3, 1e-2};
// Lengths that are likely before anything is known: about 1, within a factor of e^1.5.
constexpr double usual_length = 1;
constexpr double length_spread = 1.5;
constexpr double longest_step = 2;  // of a walk, in logarithms of lengths
constexpr int rounds_for_one = 2;   // steps of each length between two shapes that are kept

// Logarithm of the likelihood, the process' variance chosen best, times that of the lengths.
double likelihood(const Features& features, const MatrixXd& known, const VectorXd& values,
                  const ProcessShape& shape) {
  const Eigen::LLT<MatrixXd> factor(covariance(features, shape, known));
  if (factor.info() != Eigen::Success) return -std::numeric_limits<double>::infinity();
  const auto n = static_cast<double>(values.size());
  const double square = factor.matrixL().solve(values).squaredNorm();
  const double log_determinant = 2 * factor.matrixLLT().diagonal().array().log().sum();
  const ArrayXd off = (shape.lengths.array() / usual_length).log() / length_spread;
  return -0.5 * (n * std::log(std::max(square / n, 1e-300)) + log_determinant + off.square().sum());
}

}  // namespace

Features::Features(const Space& space) {
  for (const auto& each : space.parameters()) {
    const std::size_t count = each.values.size();
    const bool zero_is_last = each.is_ordered && each.values.front() == "0";
    const double scale = each.is_ordered && count > 1 ? 1 / static_cast<double>(count - 1) : 1;
    std::vector<double> places;
    for (std::size_t value = 0; value < count; ++value) {
      const std::size_t rank = zero_is_last ? (value + count - 1) % count : value;
      places.push_back(scale * static_cast<double>(rank));
    }
    places_.push_back(std::move(places));
    is_ordered_.push_back(each.is_ordered);
  }
}

MatrixXd Features::of(const std::vector<Combination>& combinations) const {
  MatrixXd points(dimensions(), static_cast<Index>(combinations.size()));
  for (std::size_t i = 0; i < combinations.size(); ++i)
    for (std::size_t p = 0; p < places_.size(); ++p)
      points(static_cast<Index>(p), static_cast<Index>(i)) = places_[p][combinations[i][p]];
  return points;
}

ArrayXd Features::squares(const MatrixXd& points, const VectorXd& from,
                          const VectorXd& weights) const {
  ArrayXd sum = ArrayXd::Zero(points.cols());
  for (Index p = 0; p < dimensions(); ++p) {
    if (!varies(p)) continue;
    const auto row = points.row(p).transpose().array();
    if (is_ordered_[static_cast<std::size_t>(p)])
      sum += weights[p] * (row - from[p]).square();
    else
      sum += weights[p] * (row != from[p]).cast<double>();
  }
  return sum;
}

ProcessShape fitted_shape(const Features& features, const MatrixXd& known, const VectorXd& values,
                          const ProcessShape& start) {
  ProcessShape best = start;
  double most = likelihood(features, known, values, best);
  const auto move = [&](double& number, const auto& grid) {
    const double before = number;
    double chosen = before;
    for (const double each : grid) {
      number = each;
      const double found = each == before ? most : likelihood(features, known, values, best);
      if (found <= most) continue;
      most = found;
      chosen = each;
    }
    number = chosen;
    return chosen != before;
  };
  constexpr int most_rounds = 4;
  bool has_moved = true;
  for (int round = 0; round < most_rounds && has_moved; ++round) {
    has_moved = false;
    for (Index p = 0; p < features.dimensions(); ++p)
      if (features.varies(p)) has_moved |= move(best.lengths[p], length_grid);
    has_moved |= move(best.nugget, nugget_grid);
  }
  return best;
}

std::vector<ProcessShape> drawn_shapes(const Features& features, const MatrixXd& known,
                                       const VectorXd& values, const ProcessShape& start,
                                       std::size_t count, Draws& draws) {
  ProcessShape at = start;
  double here = likelihood(features, known, values, at);
  std::vector<ProcessShape> found;
  while (found.size() < count) {
    for (int round = 0; round < rounds_for_one; ++round)
      for (Index p = 0; p < features.dimensions(); ++p) {
        if (!features.varies(p)) continue;
        ProcessShape next = at;
        next.lengths[p] *= std::exp(longest_step * (2 * draws.uniform() - 1));
        const double there = likelihood(features, known, values, next);
        if (std::log(draws.uniform()) > there - here) continue;
        at = next;
        here = there;
      }
    found.push_back(at);
  }
  return found;
}

Prediction::Prediction(const Features& features, const ProcessShape& shape, const MatrixXd& known,
                       const VectorXd& values, MatrixXd candidates)
    : features_(features), shape_(shape), candidates_(std::move(candidates)) {
  const Eigen::LLT<MatrixXd> factor(covariance(features, shape, known));
  const VectorXd weights = weights_of(shape);
  constexpr Index most_added = 8;  // without memory being moved
  used_ = known.cols();
  rows_.resize(used_ + most_added, candidates_.cols());
  auto cross = rows_.topRows(used_);
  for (Index i = 0; i < used_; ++i)
    cross.row(i) = matern(features.squares(candidates_, known.col(i), weights)).matrix();
  const VectorXd white = factor.matrixL().solve(values);
  scale_ = std::max(white.squaredNorm() / static_cast<double>(values.size()), 1e-12);
  if (cross.size() > 0) factor.matrixL().solveInPlace(cross);  // there may be no candidates
  means_ = (white.transpose() * cross).transpose();
  variances_ = (1 + shape.nugget - cross.colwise().squaredNorm().transpose().array()) * scale_;
}

void Prediction::add(Index candidate, double value) {
  if (used_ == rows_.rows()) rows_.conservativeResize(2 * used_ + 1, Eigen::NoChange);
  const auto before = rows_.topRows(used_);
  const ArrayXd prior =
      matern(features_.squares(candidates_, candidates_.col(candidate), weights_of(shape_)));
  const ArrayXd covariances =
      prior - (before.col(candidate).transpose() * before).transpose().array();
  const double variance = std::max(variances_[candidate] / scale_, shape_.nugget);
  const ArrayXd row = covariances / std::sqrt(variance);
  means_ += row * ((value - means_[candidate]) / std::sqrt(variance));
  variances_ = (variances_ - scale_ * row.square()).max(0);
  rows_.row(used_++) = row.transpose().matrix();
}

}  // namespace tutti::studies::tuning
