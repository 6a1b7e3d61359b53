// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/simulated_fit.hpp"

#include "sim/base/quantile.hpp"
#include "sim/fit/line_fits.hpp"
#include "sim/fit/linear_algebra.hpp"
#include "sim/fit/message_rows.hpp"
#include "sim/fit/parallel_values.hpp"

namespace tutti::studies {
namespace {

Result<Seconds> positive_time(const MeasuredCollective& measured,
                              const platforms::Machine& machine) {
  const auto time_s = TUTTI_TRY(simulated_time(measured, machine));
  if (time_s > 0) return time_s;
  return make_error(ErrorKind::input, "",
                    fmt::format("{} {} of {} takes no time in the simulation", measured.collective,
                                measured.algorithm, counted(measured.procs, "process")),
                    "exclude such rows");
}

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double least_log = -30;  // smallest logarithm of a number
constexpr double longest = 0.7;    // maximum step: a factor of two
constexpr double tiny = 1e-3;      // step of a derivative
constexpr double no_step = 1e4;    // damping at which the search stops
// Derivative of the logarithm of a time by that of a number; smaller ones are negligible compared
// with the accepted scatter.
constexpr double no_effect = 2e-3;

// Residuals of the rows with few simulations: repeated measurements of one call are simulated once.
class RowResiduals {
 public:
  explicit RowResiduals(const SimulatedModel& model) : model_(model) {
    std::map<CallKey, Index> known;
    for (const auto& row : model.measured) {
      const auto [at, is_new] = known.try_emplace(call_key(row), distinct());
      if (is_new) first_.push_back(&row);
      of_row_.push_back(at->second);
    }
    latency_part_.assign(of_row_.size(), 0.5);
  }

  // `numbers` are those of the model, followed by the effects of runs.
  Result<VectorXd> at(const VectorXd& numbers) const {
    std::vector<Index> all(first_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
    const VectorXd own = numbers.head(own_count(numbers));
    const auto times = TUTTI_TRY(simulated({{own, std::move(all)}}));
    const VectorXd preferred = preferences(numbers);
    VectorXd found(rows() + preferred.size());
    for (Index i = 0; i < rows(); ++i)
      found[i] = residual(i, times.front()[static_cast<std::size_t>(of_row_[at_(i)])]) +
                 effect(i, numbers);
    found.tail(preferred.size()) = model_.scatter * preferred;
    return found;
  }

  Index own_count(const VectorXd& numbers) const { return numbers.size() - model_.effects.count(); }

  // Takes the latency's part of each time from the derivatives by the model's numbers: all
  // latencies and times per byte together are proportional to the time, so their elasticities have
  // the sum 1.
  void set_latency_parts(const MatrixXd& jacobian) {
    const auto& is_latency = model_.effects.is_latency;
    if (model_.effects.runs == 0) return;
    for (Index row = 0; row < rows(); ++row) {
      double latency = 0, all = 1e-9;
      for (std::size_t i = 0; i < is_latency.size(); ++i) {
        const double part = std::abs(jacobian(row, static_cast<Index>(i)));
        all += part;
        if (is_latency[i]) latency += part;
      }
      latency_part_[at_(row)] = latency / all;
    }
  }

  // `pattern`: an earlier Jacobian; entries that are 0 there are not simulated.
  Result<MatrixXd> jacobian(const VectorXd& numbers, const VectorXd& here,
                            const std::optional<MatrixXd>& pattern) const {
    std::vector<Moved> all;
    const Index own = own_count(numbers);
    for (Index i = 0; i < own; ++i) {
      Moved moved{numbers.head(own), {}};
      moved.numbers[i] += tiny;
      for (Index k = 0; k < distinct(); ++k)
        if (!pattern || depends(*pattern, k, i)) moved.wanted.push_back(k);
      all.push_back(std::move(moved));
    }
    const auto times = TUTTI_TRY(simulated(all));
    MatrixXd J = MatrixXd::Zero(here.size(), numbers.size());
    for (Index i = 0; i < own; ++i) {
      const auto column = at_(i);
      std::vector<double> of_distinct(first_.size(), 0);
      for (std::size_t k = 0; k < all[column].wanted.size(); ++k)
        of_distinct[at_(all[column].wanted[k])] = times[column][k];
      for (Index row = 0; row < rows(); ++row)
        if (const double time_s = of_distinct[at_(of_row_[at_(row)])]; time_s > 0)
          J(row, i) = (residual(row, time_s) + effect(row, numbers) - here[row]) / tiny;
      VectorXd moved = numbers;
      moved[i] += tiny;
      const VectorXd preferred = model_.scatter * preferences(moved);
      J.col(i).tail(preferred.size()) = (preferred - here.tail(preferred.size())) / tiny;
    }
    add_effects(J);
    return J;
  }

  // Sets the columns of the effects.
  void add_effects(MatrixXd& J) const {
    const auto& effects = model_.effects;
    const Index first = J.cols() - effects.count();
    const Index below = J.rows() - effects.count();
    J.rightCols(effects.count()).setZero();
    for (Index row = 0; row < rows() && effects.runs > 0; ++row) {
      const Index run = effects.run_of_row[at_(row)];
      if (run < 0) continue;
      J(row, first + run) = latency_part_[at_(row)];
      J(row, first + effects.runs + run) = 1 - latency_part_[at_(row)];
    }
    for (Index i = 0; i < effects.count(); ++i)
      J(below + i, first + i) =
          model_.scatter / (i < effects.runs ? effects.latency_sd : effects.byte_sd);
  }

  Index rows() const { return static_cast<Index>(of_row_.size()); }

 private:
  struct Moved {
    VectorXd numbers;
    std::vector<Index> wanted;  // indices of distinct rows
  };

  static std::size_t at_(Index i) { return static_cast<std::size_t>(i); }
  Index distinct() const { return static_cast<Index>(first_.size()); }
  double residual(Index row, Seconds time_s) const {
    return std::log(time_s / model_.measured[at_(row)].time_s);
  }

  // What its run adds to the logarithm of a time.
  double effect(Index row, const VectorXd& numbers) const {
    const auto& effects = model_.effects;
    const Index run = effects.runs == 0 ? -1 : effects.run_of_row[at_(row)];
    if (run < 0) return 0;
    const Index first = own_count(numbers);
    const double part = latency_part_[at_(row)];
    return part * numbers[first + run] + (1 - part) * numbers[first + effects.runs + run];
  }

  // Of the model's numbers, then of the effects.
  VectorXd preferences(const VectorXd& numbers) const {
    const auto& effects = model_.effects;
    const VectorXd own = model_.preferences(numbers.head(own_count(numbers)));
    VectorXd all(own.size() + effects.count());
    all << own, numbers.segment(own_count(numbers), effects.runs) / effects.latency_sd,
        numbers.tail(effects.runs) / effects.byte_sd;
    return all;
  }

  bool depends(const MatrixXd& pattern, Index wanted, Index number) const {
    for (Index row = 0; row < rows(); ++row)
      if (of_row_[at_(row)] == wanted) return std::abs(pattern(row, number)) > no_effect;
    return false;
  }

  Result<std::vector<std::vector<Seconds>>> simulated(const std::vector<Moved>& all) const {
    std::vector<JobMachines> machines;
    std::vector<std::pair<const MeasuredCollective*, const platforms::Machine*>> rows;
    for (const auto& moved : all)
      machines.emplace_back(
          [&](const std::string& torus) { return model_.machine_of(moved.numbers, torus); });
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const Index k : all[i].wanted) {
        const auto* row = first_[at_(k)];
        rows.emplace_back(row, TUTTI_TRY(machines[i].of(row->torus)));
      }
    constexpr std::size_t few = 64;
    const auto times =
        TUTTI_TRY(values_in_parallel(rows.size(), model_.jobs, few, [&rows](std::size_t i) {
          return positive_time(*rows[i].first, *rows[i].second);
        }));
    std::vector<std::vector<Seconds>> found;
    auto next = times.begin();
    for (const auto& moved : all) {
      found.emplace_back(next, next + static_cast<std::ptrdiff_t>(moved.wanted.size()));
      next += static_cast<std::ptrdiff_t>(moved.wanted.size());
    }
    return found;
  }

  const SimulatedModel& model_;
  // The first row of those that share a simulation.
  std::vector<const MeasuredCollective*> first_;
  std::vector<Index> of_row_;
  std::vector<double> latency_part_;  // of each row's time
};

class Descent {
 public:
  Descent(const SimulatedModel& model, VectorXd start, std::optional<MatrixXd> jacobian)
      : model_(model), rows_(model) {
    fit_.numbers = std::move(start);
    if (jacobian) {
      fit_.jacobian = *std::move(jacobian);
      has_pattern_ = true;
    }
  }

  Result<SimulatedFit> run(int most_jacobians) {
    constexpr int most_steps = 60;
    bool renew = !has_pattern_;
    TUTTI_TRY(find_pattern());
    if (has_pattern_) share_effects();
    fit_.residuals = TUTTI_TRY(rows_.at(fit_.numbers));
    fit_.loss = robust_loss(fit_.residuals, rows_.rows());
    int jacobians = 0;
    for (int i = 0; i < most_steps; ++i) {
      if (renew) {
        TUTTI_TRY(differentiate());
        ++jacobians;
      }
      const auto gain = TUTTI_TRY(step());
      report(i + 1, gain);
      const bool small = gain <= relative_end * fit_.loss + absolute_end;
      if (small && (is_new_ || jacobians == most_jacobians)) break;
      renew = jacobians < most_jacobians &&
              (small || gain < slow * fit_.loss || ++updates_ >= most_updates);
      is_new_ = false;
    }
    return std::move(fit_);
  }

 private:
  static constexpr double relative_end = 1e-3, absolute_end = 1e-5;
  static constexpr double slow = 0.01;  // gain below which the Jacobian is computed anew
  static constexpr int most_updates = 3;

  // Determines which times depend on which numbers, with bare calls: a benchmark simulates several
  // calls per time.
  Result<bool> find_pattern() {
    std::vector<MeasuredCollective> calls = model_.measured;
    const auto is_measured = [](const auto& call) { return call.harness != nullptr; };
    if (has_pattern_ || std::ranges::none_of(calls, is_measured)) return true;
    for (auto& call : calls) call.harness = nullptr;
    const auto bare = model_.of_rows(calls, model_.effects);
    const RowResiduals rows(bare);
    const auto here = TUTTI_TRY(rows.at(fit_.numbers));
    auto pattern = TUTTI_TRY(rows.jacobian(fit_.numbers, here, {}));
    // Bare calls have no arrival skew.
    for (Index i = 0; i < rows.own_count(fit_.numbers); ++i)
      if (pattern.col(i).head(rows.rows()).isZero(no_effect)) pattern.col(i).setOnes();
    fit_.jacobian = std::move(pattern);
    has_pattern_ = true;
    return true;
  }

  Result<bool> differentiate() {
    const auto pattern = has_pattern_ ? std::optional(fit_.jacobian) : std::nullopt;
    fit_.jacobian = TUTTI_TRY(rows_.jacobian(fit_.numbers, fit_.residuals, pattern));
    if (!has_pattern_) share_effects();
    has_pattern_ = is_new_ = true;
    updates_ = 0;
    return true;
  }

  // Determines how much of each time is latency, at the start only: the loss must not change.
  void share_effects() {
    rows_.set_latency_parts(fit_.jacobian);
    rows_.add_effects(fit_.jacobian);
  }

  // One descent step, with the damping that it needs; returns its gain, 0 if there is none.
  Result<double> step() {
    const VectorXd weights = robust_weights(fit_.residuals, rows_.rows());
    const MatrixXd& J = fit_.jacobian;
    const MatrixXd normal = weighted_squares(J, weights);
    const VectorXd slope = J.transpose() * weights.cwiseProduct(fit_.residuals);
    for (int tries = is_new_ ? 20 : 2; tries > 0 && damping_ < no_step; --tries) {
      const MatrixXd damped = normal + damping_ * MatrixXd::Identity(normal.rows(), normal.cols());
      VectorXd moved = -solve_symmetric(damped, slope);
      if (const double length = moved.cwiseAbs().maxCoeff(); length > longest)
        moved = moved.cwiseMin(longest).cwiseMax(-longest);
      moved = (fit_.numbers + moved).cwiseMax(least_log);
      const auto there = TUTTI_TRY(rows_.at(moved));
      const double loss = robust_loss(there, rows_.rows());
      const double gain = fit_.loss - loss;
      update(moved - fit_.numbers, there - fit_.residuals);
      damping_ = std::max(1e-8, damping_ * (gain > 0 ? 0.2 : 5));
      if (!(gain > 0)) continue;
      fit_.numbers = std::move(moved);
      fit_.residuals = there;
      fit_.loss = loss;
      return gain;
    }
    damping_ = std::min(damping_, 1.0);
    return 0.0;
  }

  // Schubert's update: each row is corrected in the numbers that it depends on.
  void update(const VectorXd& moved, const VectorXd& change) {
    for (Index row = 0; row < rows_.rows(); ++row) {
      VectorXd own = (fit_.jacobian.row(row).transpose().array().abs() > 1e-7).select(moved, 0.0);
      own.tail(model_.effects.count()).setZero();  // their derivatives are exact
      const double square = own.squaredNorm();
      if (square < 1e-8) continue;
      const double missed = change[row] - fit_.jacobian.row(row).dot(moved);
      fit_.jacobian.row(row) += missed / square * own.transpose();
    }
  }

  void report(int number, double gain) const {
    if (!model_.progress) return;
    std::vector<double> errors;
    for (const double r : fit_.residuals.head(rows_.rows()))
      errors.push_back(std::abs(std::expm1(r)));
    model_.progress(fmt::format("step {}: median error {:.1f} %, loss {:.1f}, gain {:.2g}", number,
                                100 * median_of(std::move(errors)), fit_.loss, gain));
  }

  const SimulatedModel& model_;
  RowResiduals rows_;
  SimulatedFit fit_;
  double damping_ = 1e-3;
  int updates_ = 0;
  bool has_pattern_ = false;
  bool is_new_ = false;  // the Jacobian was computed at the current numbers
};

double huber_of(double r) {
  const double u = std::abs(r) / borne_scatter;
  return u <= huber_tuning ? u * u / 2 : huber_tuning * (u - huber_tuning / 2);
}

constexpr double two_sided_95 = 1.96;

double half_interval(const MatrixXd& covariance, const VectorXd& gradient) {
  return two_sided_95 * std::sqrt(std::max(0.0, gradient.dot(covariance * gradient)));
}

}  // namespace

double robust_loss(const VectorXd& residuals, Index times) {
  double sum = 0;
  for (const double r : residuals.head(times)) sum += huber_of(r);
  return sum + residuals.tail(residuals.size() - times).squaredNorm() /
                   (2 * borne_scatter * borne_scatter);
}

VectorXd robust_weights(const VectorXd& residuals, Index times) {
  VectorXd weights = VectorXd::Ones(residuals.size());
  for (Index i = 0; i < times; ++i)
    weights[i] =
        std::min(1.0, huber_tuning * borne_scatter / std::max(std::abs(residuals[i]), 1e-300));
  return weights;
}

Result<SimulatedFit> fit_by_simulation(const SimulatedModel& model, VectorXd start,
                                       std::optional<MatrixXd> jacobian, int most_jacobians) {
  return Descent(model, std::move(start), std::move(jacobian)).run(most_jacobians);
}

Result<VectorXd> log_errors(const SimulatedModel& model, const VectorXd& numbers) {
  const auto without = model.of_rows(model.measured);
  const RowResiduals rows(without);
  auto found = TUTTI_TRY(rows.at(numbers.head(numbers.size() - model.effects.count())));
  return VectorXd(found.head(rows.rows()));
}

Posterior::Posterior(const SimulatedFit& fit, Index times, double scatter) {
  constexpr double least_scatter = 1e-4;
  const VectorXd weights = robust_weights(fit.residuals, times);
  const MatrixXd J = fit.jacobian.topRows(times);
  const MatrixXd prior = fit.jacobian.bottomRows(fit.jacobian.rows() - times) / scatter;
  const MatrixXd precision = product_of_transposed(prior, prior);
  prior_covariance_ = pseudo_inverse(precision);
  const MatrixXd normal = weighted_squares(J, weights.head(times));
  const double squares = weights.head(times).dot(fit.residuals.head(times).cwiseAbs2());
  double sigma = borne_scatter;
  for (int i = 0; i < 3; ++i) {
    covariance_ = pseudo_inverse(normal / (sigma * sigma) + precision);
    const double used = (covariance_ * normal).trace() / (sigma * sigma);
    const double freedom = std::max(1.0, static_cast<double>(times) - used);
    sigma = std::max(least_scatter, std::sqrt(squares / freedom));
  }
  scatter_ = sigma;
  MatrixXd rows(fit.jacobian.rows(), fit.jacobian.cols());
  rows << J / borne_scatter, prior;
  const VectorXd singular = singular_values(rows);
  condition_ =
      singular.size() == 0 ? 1 : singular[0] / std::max(singular[singular.size() - 1], 1e-300);
}

double Posterior::half_width(const VectorXd& gradient) const {
  return half_interval(covariance_, gradient);
}

double Posterior::prior_half_width(const VectorXd& gradient) const {
  return half_interval(prior_covariance_, gradient);
}

}  // namespace tutti::studies
