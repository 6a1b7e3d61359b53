// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/storage_search.hpp"

#include "sim/studies/line_fits.hpp"

namespace tutti::studies {
namespace {

constexpr double storage_scatter = 0.1;  // of measured bandwidths; larger residuals are outliers
constexpr double negligible_scatter = 3e-3;  // smaller residuals are not significant

// Mean square of the residuals, with less weight for outliers.
double mean_loss(const Eigen::VectorXd& residuals) {
  double sum = 0;
  const double limit = huber_tuning * storage_scatter;
  for (const double r : residuals) {
    const double a = std::abs(r);
    sum += a <= limit ? a * a : limit * (2 * a - limit);
  }
  return sum / static_cast<double>(residuals.size());
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
  StorageTrial trial{numbers, Eigen::VectorXd(static_cast<Eigen::Index>(Bps.size()))};
  for (std::size_t i = 0; i < Bps.size(); ++i)
    trial.residuals[static_cast<Eigen::Index>(i)] = std::log(Bps[i] / measured_[i].Bps);
  return trial;
}

Result<Eigen::MatrixXd> StorageSearch::differences(const StorageTrial& trial, double step,
                                                   bool on_both_sides) const {
  const auto count = static_cast<Eigen::Index>(trial.numbers.fitted().size());
  Eigen::MatrixXd J(trial.residuals.size(), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::VectorXd by = step * Eigen::VectorXd::Unit(count, i);
    const auto above = TUTTI_TRY(at(moved(trial.numbers, by)));
    const auto below = on_both_sides ? TUTTI_TRY(at(moved(trial.numbers, -by))) : trial;
    J.col(i) = (above.residuals - below.residuals) / (on_both_sides ? 2 * step : step);
  }
  return J;
}

Result<Eigen::MatrixXd> StorageSearch::jacobian(const StorageTrial& trial) const {
  return differences(trial, 2e-2, true);
}

Result<StorageTrial> StorageSearch::from(const StorageNumbers& start, int most_steps) const {
  constexpr int most_tries = 6;
  constexpr double longest_step = 0.7, least_gain = 1e-3, no_loss = 1e-10;
  StorageTrial best = TUTTI_TRY(at(start));
  double damping = 1e-3;
  for (int i = 0; i < most_steps; ++i) {
    const Eigen::MatrixXd J = TUTTI_TRY(differences(best, 5e-3, false));
    const Eigen::VectorXd weights = storage_weights(best.residuals);
    const Eigen::MatrixXd normal = J.transpose() * weights.asDiagonal() * J;
    const Eigen::VectorXd slope = J.transpose() * weights.cwiseProduct(best.residuals);
    const double loss = mean_loss(best.residuals);
    double gain = 0;
    for (int tries = 0; tries < most_tries && !(gain > 0); ++tries) {
      // A parameter without effect stays where it is.
      Eigen::MatrixXd damped = normal;
      damped.diagonal().array() += damping * (normal.diagonal().array() + 1e-3);
      const Eigen::VectorXd by =
          (-damped.ldlt().solve(slope)).cwiseMin(longest_step).cwiseMax(-longest_step);
      auto there = TUTTI_TRY(at(moved(best.numbers, by)));
      gain = loss - mean_loss(there.residuals);
      damping = std::clamp(damping * (gain > 0 ? 0.2 : 6), 1e-8, 1e6);
      if (gain > 0) best = std::move(there);
    }
    if (gain <= least_gain * loss + no_loss) break;
  }
  return best;
}

}  // namespace tutti::studies
