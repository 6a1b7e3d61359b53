// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/fitted_formulas.hpp"

#include "algorithms/models/message_cost.hpp"
#include "sim/fit/linear_algebra.hpp"
#include "sim/fit/simulated_fit.hpp"

namespace tutti::studies {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr const char* fitted_set = "fitted";

platforms::HockneyParameters hockney_at(const VectorXd& logs) {
  return {fitted_set, std::exp(logs[0]), std::exp(-logs[1])};
}

platforms::LogGPParameters loggp_at(const VectorXd& logs) {
  return {fitted_set, std::exp(logs[0]), std::exp(logs[1]), platforms::Piecewise(std::exp(logs[2])),
          std::exp(logs[3])};
}

Seconds cost_in_s(const FormulaTime& time, const platforms::HockneyParameters& parameters) {
  return algorithms::models::hockney(*time.algorithm, time.args, parameters);
}
Seconds cost_in_s(const FormulaTime& time, const platforms::LogGPParameters& parameters) {
  return algorithms::models::loggp(*time.algorithm, time.args, parameters);
}

// Logarithms of values of which some may be 0.
VectorXd logs_of(std::initializer_list<double> values) {
  constexpr double least = 1e-15;
  VectorXd logs(static_cast<Index>(values.size()));
  Index next = 0;
  for (const double value : values) logs[next++] = std::log(std::max(value, least));
  return logs;
}

// Varies the logarithms of the parameters `At` of a formula.
template <auto At>
class FormulaFit {
 public:
  FormulaFit(const std::vector<FormulaTime>& times, VectorXd start)
      : times_(times), logs_(std::move(start)), residuals_(residuals(logs_)), loss_(loss()) {}

  FormulaFit& run() {
    constexpr int most_steps = 100;
    for (int i = 0; i < most_steps && improve(); ++i) {
    }
    return *this;
  }

  double loss() const { return robust_loss(residuals_, residuals_.size()); }
  const VectorXd& logs() const { return logs_; }

 private:
  VectorXd residuals(const VectorXd& logs) const {
    constexpr Seconds least_s = 1e-15;
    const auto parameters = At(logs);
    VectorXd found(static_cast<Index>(times_.size()));
    Index next = 0;
    for (const auto& time : times_)
      found[next++] = std::log(std::max(least_s, cost_in_s(time, parameters)) / time.measured_s);
    return found;
  }

  MatrixXd jacobian() const {
    constexpr double tiny = 1e-4;
    MatrixXd J(residuals_.size(), logs_.size());
    for (Index i = 0; i < logs_.size(); ++i) {
      VectorXd moved = logs_;
      moved[i] += tiny;
      J.col(i) = (residuals(moved) - residuals_) / tiny;
    }
    return J;
  }

  // Takes a step with the damping that it needs; returns whether it gains much.
  bool improve() {
    constexpr double longest = 1, no_step = 1e6, small = 1e-6;
    const MatrixXd J = jacobian();
    const VectorXd weights = robust_weights(residuals_, residuals_.size());
    const MatrixXd normal = weighted_squares(J, weights);
    const VectorXd slope = J.transpose() * weights.cwiseProduct(residuals_);
    for (; damping_ < no_step; damping_ *= 4) {
      const MatrixXd damped = normal + damping_ * MatrixXd::Identity(normal.rows(), normal.cols());
      const VectorXd step = solve_symmetric(damped, slope).cwiseMin(longest).cwiseMax(-longest);
      const FormulaFit there(times_, logs_ - step);
      if (!(there.loss_ < loss_)) continue;
      const double gain = loss_ - there.loss_;
      logs_ = there.logs_;
      residuals_ = there.residuals_;
      loss_ = there.loss_;
      damping_ /= 8;
      return gain > small * loss_;
    }
    return false;
  }

  const std::vector<FormulaTime>& times_;
  VectorXd logs_;
  VectorXd residuals_;
  double loss_;
  double damping_ = 1;
};

// The best of the fits from several starts: where the larger of two costs counts, the other one has
// no derivative.
template <auto At>
auto best_fit(const std::vector<FormulaTime>& times, std::initializer_list<VectorXd> starts) {
  std::optional<FormulaFit<At>> best;
  for (const auto& start : starts) {
    FormulaFit<At> fit(times, start);
    if (fit.run(); !best || fit.loss() < best->loss()) best.emplace(fit);
  }
  return At(best->logs());
}

}  // namespace

ModelParameters fit_formulas(const std::vector<FormulaTime>& times, const ModelParameters& start) {
  const auto& [hockney, loggp] = start;
  const auto fitted = best_fit<hockney_at>(times, {logs_of({hockney.l_s, 1 / hockney.b_Bps})});
  const Seconds l_s = fitted.l_s;
  return {fitted,
          best_fit<loggp_at>(times, {logs_of({loggp.L_s, loggp.o_s, loggp.g_s(1), loggp.G_s_per_B}),
                                     logs_of({l_s / 2, l_s / 4, l_s, 1 / fitted.b_Bps})})};
}

}  // namespace tutti::studies
