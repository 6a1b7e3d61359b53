// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/storage_search.hpp"

#include "sim/fit/line_fits.hpp"
#include "sim/fit/linear_algebra.hpp"
#include "sim/fit/precise_time.hpp"

namespace tutti::studies {
namespace {

constexpr double storage_scatter = 0.1;  // of measured bandwidths; larger residuals are outliers
constexpr double negligible_scatter = 3e-3;  // smaller residuals are not significant

// Mean square of the residuals, with less weight for outliers.
double mean_loss(const std::vector<double>& residuals) {
  double sum = 0;
  const double limit = huber_tuning * storage_scatter;
  for (const double r : residuals) {
    const double a = std::abs(r);
    sum += a <= limit ? a * a : limit * (2 * a - limit);
  }
  return sum / static_cast<double>(residuals.size());
}

Eigen::VectorXd vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Eigen::VectorXd storage_weights(const Eigen::VectorXd& residuals) {
  const double limit = huber_tuning * storage_scatter;
  return residuals.unaryExpr(
      [limit](double r) { return std::abs(r) <= limit ? 1.0 : limit / std::abs(r); });
}

StorageNumbers moved(const StorageNumbers& from, const Eigen::VectorXd& by) {
  StorageNumbers to = from;
  Eigen::Index i = 0;
  for (const auto number : from.fitted()) to.set(number, from.of(number) * std::exp(by[i++]));
  return to;
}

}  // namespace

std::vector<StorageNumber> StorageNumbers::fitted() const {
  std::vector<StorageNumber> numbers;
  for (const auto number : storage_numbers)
    if (has(number)) numbers.push_back(number);
  return numbers;
}

io_models::StorageSpec StorageNumbers::in(io_models::StorageSpec storage) const {
  using enum StorageNumber;
  storage.write_Bps = has(write) ? of(write) : of(read);
  storage.read_Bps = has(read) ? of(read) : of(write);
  storage.request_s = of(request);
  if (has(network)) storage.network_Bps = of(network);
  if (has(latency)) storage.network_latency_s = of(latency);
  return storage;
}

double StorageTrial::score() const {
  const auto n = static_cast<double>(residuals.size());
  const double square = mean_loss(residuals) + negligible_scatter * negligible_scatter;
  return n * std::log(square) + static_cast<double>(numbers.fitted().size()) * std::log(n);
}

bool StorageTrial::is_exact() const {
  constexpr double tiny_part = 0.05;
  return mean_loss(residuals) < tiny_part * negligible_scatter * negligible_scatter;
}

Result<StorageTrial> StorageSearch::at(const StorageNumbers& numbers) const {
  const auto Bps = TUTTI_TRY(prediction_.Bps(numbers.in(layout_)));
  StorageTrial trial{numbers, {}};
  for (std::size_t i = 0; i < Bps.size(); ++i)
    trial.residuals.push_back(std::log(Bps[i] / measured_[i].Bps));
  return trial;
}

namespace {

// Derivatives of the residuals by the logarithms of the fitted values, from one step below, or from
// the trial itself, to one step above.
Result<Eigen::MatrixXd> differences(const StorageSearch& search, const StorageTrial& trial,
                                    double step, bool on_both_sides) {
  const auto count = static_cast<Eigen::Index>(trial.numbers.fitted().size());
  Eigen::MatrixXd J(static_cast<Eigen::Index>(trial.residuals.size()), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::VectorXd by = step * Eigen::VectorXd::Unit(count, i);
    const auto above = TUTTI_TRY(search.at(moved(trial.numbers, by)));
    const auto below = on_both_sides ? TUTTI_TRY(search.at(moved(trial.numbers, -by))) : trial;
    J.col(i) = (vector_of(above.residuals) - vector_of(below.residuals)) /
               (on_both_sides ? 2 * step : step);
  }
  return J;
}

// Levenberg-Marquardt steps. Broyden's update (Math. Comp. 19, 1965) corrects the Jacobian after
// each of them; a new one is computed where the corrected one gains little.
class StorageDescent {
 public:
  StorageDescent(const StorageSearch& search, StorageTrial start)
      : search_(search), best_(std::move(start)) {}

  Result<StorageTrial> run(int most_steps) {
    constexpr double least_gain = 1e-3, no_loss = 1e-10, slow = 0.1;
    bool renew = true;
    for (int i = 0; i < most_steps; ++i) {
      if (renew) J_ = TUTTI_TRY(differences(search_, best_, 5e-3, false));
      const double loss = mean_loss(best_.residuals);
      const double gain = TUTTI_TRY(step(renew ? 6 : 1));
      if (renew && gain <= least_gain * loss + no_loss) break;
      renew = gain <= slow * loss;
    }
    return std::move(best_);
  }

 private:
  // Returns the gain; 0: none of the tries is better.
  Result<double> step(int most_tries) {
    constexpr double longest_step = 0.7;
    const Eigen::VectorXd here = vector_of(best_.residuals);
    const Eigen::VectorXd weights = storage_weights(here);
    const double loss = mean_loss(best_.residuals);
    for (int tries = 0; tries < most_tries; ++tries) {
      const Eigen::MatrixXd normal = weighted_squares(J_, weights);
      const Eigen::VectorXd slope = J_.transpose() * weights.cwiseProduct(here);
      // A parameter without effect stays where it is.
      Eigen::MatrixXd damped = normal;
      damped.diagonal().array() += damping_ * (normal.diagonal().array() + 1e-3);
      const Eigen::VectorXd by =
          (-solve_symmetric(damped, slope)).cwiseMin(longest_step).cwiseMax(-longest_step);
      auto there = TUTTI_TRY(search_.at(moved(best_.numbers, by)));
      const double gain = loss - mean_loss(there.residuals);
      damping_ = std::clamp(damping_ * (gain > 0 ? 0.2 : 6), 1e-8, 1e6);
      if (!(gain > 0)) continue;
      if (const double square = by.squaredNorm(); square > 0)
        J_ += (vector_of(there.residuals) - here - J_ * by) / square * by.transpose();
      best_ = std::move(there);
      return gain;
    }
    return 0.0;
  }

  const StorageSearch& search_;
  StorageTrial best_;
  Eigen::MatrixXd J_;
  double damping_ = 1e-3;
};

}  // namespace

Result<StorageTrial> StorageSearch::from(const StorageNumbers& start, int most_steps) const {
  return StorageDescent(*this, TUTTI_TRY(at(start))).run(most_steps);
}

Result<std::vector<double>> StorageSearch::half_intervals(const StorageTrial& trial,
                                                          double least_sigma,
                                                          const std::vector<double>& added) const {
  Eigen::MatrixXd J = TUTTI_TRY(differences(*this, trial, 2e-2, true));
  if (!added.empty()) {
    J.conservativeResize(Eigen::NoChange, J.cols() + 1);
    J.col(J.cols() - 1) = vector_of(added);
  }
  const auto freedom = static_cast<double>(std::max<Eigen::Index>(1, J.rows() - J.cols()));
  const double square =
      std::max(least_sigma * least_sigma, vector_of(trial.residuals).squaredNorm() / freedom);
  // Values without an effect get a large variance instead of none.
  const Eigen::MatrixXd normal =
      product_of_transposed(J, J) + 1e-9 * Eigen::MatrixXd::Identity(J.cols(), J.cols());
  const double t = student_t_95(freedom);
  const Eigen::VectorXd found = t * (square * diagonal_of_inverse(normal)).cwiseSqrt();
  return std::vector<double>(found.begin(), found.end());
}

}  // namespace tutti::studies
