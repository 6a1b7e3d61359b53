// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/fit/simulated_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/counted.hpp"
#include "sim/base/error_list.hpp"
#include "sim/studies/fit/huber.hpp"

namespace tutti::studies {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double scatter = 0.1;  // that is borne: no protocol is exact
constexpr double least = -30;    // of a number: a logarithm of nothing
constexpr double longest = 0.7;  // step: a factor of two
constexpr double tiny = 1e-3;    // step of a derivative
constexpr double no_step = 1e4;  // damping that leaves none

// The times, then the preferences.
Result<VectorXd> residuals_of(const SimulatedModel& model, const VectorXd& numbers) {
  const auto machine = model.machine_of(numbers);
  if (!machine) return machine.errors();
  const VectorXd preferred = model.preferences(numbers);
  const auto count = static_cast<Index>(model.measured.size());
  VectorXd found(count + preferred.size());
  for (Index i = 0; i < count; ++i) {
    const auto& measured = model.measured[static_cast<std::size_t>(i)];
    const auto time_s = simulated_time(measured, *machine);
    if (!time_s) return time_s.errors();
    if (!(*time_s > 0))
      return make_error(
          ErrorKind::input, "",
          fmt::format("{} {} of {} takes no time in the simulation", measured.collective,
                      measured.algorithm, counted(measured.procs, "process")),
          "leave such rows out");
    found[i] = std::log(*time_s / measured.time_s);
  }
  found.tail(preferred.size()) = preferred;
  return found;
}

double loss_of(const VectorXd& residuals) {
  double sum = 0;
  for (const double r : residuals) {
    const double u = std::abs(r) / scatter;
    sum += u <= huber_tuning ? u * u / 2 : huber_tuning * (u - huber_tuning / 2);
  }
  return sum;
}

VectorXd weights_of(const VectorXd& residuals) {
  return residuals.unaryExpr([](double r) {
    return std::min(1.0, huber_tuning * scatter / std::max(std::abs(r), 1e-300));
  });
}

Result<MatrixXd> jacobian(const SimulatedModel& model, const VectorXd& numbers,
                          const VectorXd& here) {
  MatrixXd J(here.size(), numbers.size());
  for (Index i = 0; i < J.cols(); ++i) {
    VectorXd moved = numbers;
    moved[i] += tiny;
    const auto there = residuals_of(model, moved);
    if (!there) return there.errors();
    J.col(i) = (*there - here) / tiny;
  }
  return J;
}

// One step down, of the damping that it needs; none is left where that grows too much.
Result<bool> stepped(const SimulatedModel& model, SimulatedFit& fit, double& damping) {
  const auto J = jacobian(model, fit.numbers, fit.residuals);
  if (!J) return J.errors();
  const VectorXd weights = weights_of(fit.residuals);
  const MatrixXd normal = J->transpose() * weights.asDiagonal() * *J;
  const VectorXd slope = J->transpose() * weights.cwiseProduct(fit.residuals);
  while (damping < no_step) {
    const MatrixXd damped = normal + damping * MatrixXd::Identity(normal.rows(), normal.cols());
    VectorXd step = -damped.ldlt().solve(slope);
    step = step.cwiseMin(longest).cwiseMax(-longest);
    const VectorXd moved = (fit.numbers + step).cwiseMax(least);
    const auto there = residuals_of(model, moved);
    if (!there) return there.errors();
    const double loss = loss_of(*there);
    const double gain = fit.loss - loss;
    damping *= gain > 0 ? 0.3 : 4;
    if (!(gain > 0)) continue;
    fit = {moved, loss, *there};
    return gain >= 1e-4 * (loss + gain);
  }
  return false;
}

}  // namespace

Result<SimulatedFit> fit_by_simulation(const SimulatedModel& model, VectorXd start) {
  constexpr int most_steps = 25;
  auto here = residuals_of(model, start);
  if (!here) return here.errors();
  SimulatedFit fit{std::move(start), loss_of(*here), *std::move(here)};
  double damping = 1e-2;
  for (int i = 0; i < most_steps; ++i) {
    const auto goes_on = stepped(model, fit, damping);
    if (!goes_on) return goes_on.errors();
    if (!*goes_on) break;
  }
  return fit;
}

Result<Sensitivity> Sensitivity::of(const SimulatedModel& model, const SimulatedFit& fit) {
  const auto J = jacobian(model, fit.numbers, fit.residuals);
  if (!J) return J.errors();
  const auto times = static_cast<Index>(model.measured.size());
  const Eigen::JacobiSVD<MatrixXd> svd(J->topRows(times), Eigen::ComputeThinV);
  Sensitivity told;
  told.directions_ = svd.matrixV();
  told.singular_ = svd.singularValues();
  const double freedom = std::max(1.0, static_cast<double>(times - J->cols()));
  told.sigma_ = std::sqrt(fit.residuals.head(times).squaredNorm() / freedom);
  return told;
}

double Sensitivity::condition() const {
  return singular_[0] / std::max(singular_[singular_.size() - 1], 1e-300);
}

double Sensitivity::half_width(const VectorXd& gradient) const {
  constexpr double open = 1e-4, small_part = 0.1, normal_95 = 1.96;
  const double length = gradient.norm();
  double sum = 0;
  for (Index k = 0; k < singular_.size(); ++k) {
    const double part = directions_.col(k).dot(gradient);
    if (singular_[k] > open * singular_[0])
      sum += part * part / (singular_[k] * singular_[k]);
    else if (std::abs(part) > small_part * length)
      return std::numeric_limits<double>::infinity();
  }
  // Directions beyond the times, where these are fewer than the numbers.
  const double left = length * length - (directions_.transpose() * gradient).squaredNorm();
  if (left > small_part * small_part * length * length)
    return std::numeric_limits<double>::infinity();
  return normal_95 * sigma_ * std::sqrt(sum);
}

FittedParameter told_by_times(std::string name, std::string unit, double value, double half) {
  constexpr double narrow = 0.05, wide = 0.7;
  FittedParameter told{.name = std::move(name), .unit = std::move(unit), .value = value};
  told.status = half <= narrow ? ParameterStatus::fitted
                : half <= wide ? ParameterStatus::uncertain
                               : ParameterStatus::assumed;
  if (half > wide) {
    told.note = "one of many values that fit";
    return told;
  }
  told.low = value * std::exp(-half);
  told.high = value * std::exp(half);
  return told;
}

}  // namespace tutti::studies
