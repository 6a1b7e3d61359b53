// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/cross_validation.hpp"

#include "sim/base/quantile.hpp"
#include "sim/fit/linear_algebra.hpp"

namespace tutti::studies {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Fold of each row. Messages between two nodes are in no fold: each fit contains them.
constexpr std::size_t always_kept = std::numeric_limits<std::size_t>::max();
// From this number on, critical paths of a fit to all rows predict its fits without a part. Without
// each run and collective of LUMI (528 rows of HLC-Lab/pico), times so predicted and by new fits
// differ by 0.1 % in the median, by less than 2 % in nine of ten, and by at most 14 %.
constexpr std::size_t many_rows = 200;

struct Folds {
  Omitted omitted = Omitted::rows;
  std::vector<std::size_t> of_row;
  std::vector<std::string> names;
};

std::string fold_name(Omitted omitted, const MeasuredCollective& row) {
  if (omitted == Omitted::collectives) return row.collective;
  if (omitted == Omitted::runs) return row.run;
  return counted(row.nodes(), "node");
}

Folds named_folds(Omitted omitted, const std::vector<MeasuredCollective>& measured) {
  Folds folds{.omitted = omitted, .of_row = {}, .names = {}};
  std::map<std::string, std::size_t> known;
  for (const auto& row : measured) {
    if (row.message) {
      folds.of_row.push_back(always_kept);
      continue;
    }
    const auto [at, is_new] = known.try_emplace(fold_name(omitted, row), folds.names.size());
    if (is_new) folds.names.push_back(at->first);
    folds.of_row.push_back(at->second);
  }
  return folds;
}

Folds row_folds(const std::vector<MeasuredCollective>& measured) {
  constexpr std::size_t most = 5;
  Folds folds;
  const auto rows = static_cast<std::size_t>(
      std::ranges::count_if(measured, [](const auto& row) { return !row.message; }));
  for (std::size_t i = 0; i < std::min(most, rows); ++i)
    folds.names.push_back(fmt::format("part {}", i + 1));
  std::size_t next = 0;
  for (const auto& row : measured)
    folds.of_row.push_back(row.message ? always_kept : next++ % folds.names.size());
  return folds;
}

std::vector<Folds> all_folds(const std::vector<MeasuredCollective>& measured) {
  std::vector<Folds> all;
  for (const auto omitted : {Omitted::collectives, Omitted::runs, Omitted::scales}) {
    auto folds = named_folds(omitted, measured);
    const bool is_new =
        std::ranges::none_of(all, [&](const Folds& known) { return known.of_row == folds.of_row; });
    if (folds.names.size() > 1 && is_new) all.push_back(std::move(folds));
  }
  if (all.empty()) all.push_back(row_folds(measured));
  return all;
}

// The residuals of a fit as functions of how far its numbers are moved. A number is the logarithm
// of a time or a rate, and a measured time is the sum of the parts of its critical path that the
// numbers cause, which the Jacobian contains. This is exact as long as no other path becomes
// critical. Omitted times have no weight.
class CriticalPaths {
 public:
  CriticalPaths(const SimulatedFit& fit, const std::vector<bool>& omitted, Index effects)
      : fit_(fit), omitted_(omitted), own_(fit.numbers.size() - effects) {}

  VectorXd residuals(const VectorXd& moved) const {
    VectorXd found = fit_.residuals + fit_.jacobian * moved;
    for (Index row = 0; row < times(); ++row) {
      const auto J = fit_.jacobian.row(row);
      found[row] = fit_.residuals[row] + std::log(factor(row, moved)) +
                   J.tail(J.size() - own_).dot(moved.tail(J.size() - own_));
    }
    return found;
  }

  MatrixXd jacobian(const VectorXd& moved) const {
    MatrixXd J = fit_.jacobian;
    for (Index row = 0; row < times(); ++row)
      for (Index i = 0; i < own_; ++i) J(row, i) *= growth(row, i, moved) / factor(row, moved);
    return J;
  }

  VectorXd weights(const VectorXd& residuals) const {
    VectorXd found = robust_weights(residuals, times());
    for (Index row = 0; row < times(); ++row)
      if (omitted_[static_cast<std::size_t>(row)]) found[row] = 0;
    return found;
  }

  double loss(const VectorXd& moved) const {
    VectorXd found = residuals(moved);
    for (Index row = 0; row < times(); ++row)
      if (omitted_[static_cast<std::size_t>(row)]) found[row] = 0;
    return robust_loss(found, times());
  }

 private:
  Index times() const { return static_cast<Index>(omitted_.size()); }

  // How much longer the part of a time becomes that a number causes. Times grow with the number,
  // and what a rate causes shrinks.
  double growth(Index row, Index number, const VectorXd& moved) const {
    return std::exp(std::copysign(moved[number], fit_.jacobian(row, number) * moved[number]));
  }

  // How much longer a time becomes.
  double factor(Index row, const VectorXd& moved) const {
    constexpr double least = 1e-3;
    double sum = 1;
    for (Index i = 0; i < own_; ++i)
      sum += std::abs(fit_.jacobian(row, i)) * (growth(row, i, moved) - 1);
    return std::max(least, sum);
  }

  const SimulatedFit& fit_;
  const std::vector<bool>& omitted_;
  Index own_ = 0;  // numbers of the model
};

// Returns the numbers of a fit without the omitted times, and without a simulation (approximate
// cross-validation: Rad and Maleki, J. R. Stat. Soc. B 82, 2020; Giordano et al., AISTATS 2019).
// `effects` of runs are the last numbers.
VectorXd numbers_without(const SimulatedFit& fit, const std::vector<bool>& omitted, Index effects) {
  constexpr int most_steps = 100;
  constexpr double small_gain = 1e-7, most_damping = 1e6, longest = 0.7;
  const CriticalPaths paths(fit, omitted, effects);
  VectorXd moved = VectorXd::Zero(fit.numbers.size());
  double loss = paths.loss(moved), damping = 1e-3;
  for (int i = 0; i < most_steps && damping < most_damping; ++i) {
    const MatrixXd J = paths.jacobian(moved);
    const VectorXd residuals = paths.residuals(moved), weights = paths.weights(residuals);
    const MatrixXd normal = weighted_squares(J, weights);
    const MatrixXd damped = normal + damping * MatrixXd(normal.diagonal().asDiagonal());
    const VectorXd step = -solve_symmetric(damped, J.transpose() * weights.cwiseProduct(residuals));
    const VectorXd next = moved + step.cwiseMin(longest).cwiseMax(-longest);
    const double gain = loss - paths.loss(next);
    damping *= gain > 0 ? 0.2 : 5;
    if (!(gain > 0)) continue;
    moved = next;
    loss -= gain;
    if (gain < small_gain * loss) break;
  }
  return fit.numbers + moved;
}

class Validation {
 public:
  Validation(const SimulatedModel& model, const SimulatedFit& fit) : model_(model), fit_(fit) {}

  Result<CrossValidation> run(const Folds& folds) const {
    CrossValidation validation{.omitted = folds.omitted, .folds = folds.names.size(), .times = {}};
    std::vector<std::size_t> time_of_row;
    for (const auto& row : model_.measured) {
      time_of_row.push_back(validation.times.size());
      if (!row.message) validation.times.push_back(compared_time(row, 1));
    }
    for (std::size_t fold = 0; fold < folds.names.size(); ++fold) {
      const auto logs = TUTTI_TRY(predicted(folds, fold));
      std::vector<double> errors;
      std::size_t next = 0;
      for (std::size_t i = 0; i < model_.measured.size(); ++i) {
        if (folds.of_row[i] != fold) continue;
        const double log_error = logs[static_cast<Index>(next++)];
        validation.times[time_of_row[i]].simulated_over_measured = std::exp(log_error);
        errors.push_back(std::abs(std::expm1(log_error)));
      }
      if (model_.progress)
        model_.progress(fmt::format("cross-validation without {}: median error {:.1f} %",
                                    folds.names[fold], 100 * median_of(std::move(errors))));
    }
    return validation;
  }

 private:
  // Returns log(simulated / measured) of the rows of this fold.
  Result<VectorXd> predicted(const Folds& folds, std::size_t fold) const {
    std::vector<MeasuredCollective> omitted;
    std::vector<bool> is_omitted;
    for (std::size_t i = 0; i < model_.measured.size(); ++i) {
      is_omitted.push_back(folds.of_row[i] == fold);
      if (is_omitted.back()) omitted.push_back(model_.measured[i]);
    }
    auto numbers = numbers_without(fit_, is_omitted, model_.effects.count());
    if (model_.measured.size() < many_rows)
      numbers = TUTTI_TRY(fitted_again(folds.omitted, is_omitted, std::move(numbers)));
    return log_errors(model_.of_rows(omitted),
                      numbers.head(numbers.size() - model_.effects.count()));
  }

  // With few rows, the omitted ones are a large part, so the numbers may move far.
  Result<VectorXd> fitted_again(Omitted kind, const std::vector<bool>& is_omitted,
                                VectorXd start) const {
    const auto times = static_cast<Index>(model_.measured.size());
    const Index preferences = fit_.jacobian.rows() - times;
    std::vector<MeasuredCollective> kept;
    RunEffects effects = model_.effects;
    effects.run_of_row.clear();
    MatrixXd jacobian(fit_.jacobian.rows(), fit_.jacobian.cols());
    Index next = 0;
    for (std::size_t i = 0; i < is_omitted.size(); ++i) {
      if (is_omitted[i]) continue;
      kept.push_back(model_.measured[i]);
      if (effects.runs > 0) effects.run_of_row.push_back(model_.effects.run_of_row[i]);
      jacobian.row(next++) = fit_.jacobian.row(static_cast<Index>(i));
    }
    jacobian.middleRows(next, preferences) = fit_.jacobian.bottomRows(preferences);
    jacobian.conservativeResize(next + preferences, Eigen::NoChange);
    const bool of_runs = kind == Omitted::runs || kind == Omitted::scales;
    const auto without = model_.of_rows(kept, effects);
    auto again = TUTTI_TRY(fit_by_simulation(without, std::move(start), std::move(jacobian),
                                             of_runs ? 2 : enough_jacobians));
    return std::move(again.numbers);
  }

  const SimulatedModel& model_;
  const SimulatedFit& fit_;
};

}  // namespace

Result<std::vector<CrossValidation>> cross_validated(const SimulatedModel& model,
                                                     const SimulatedFit& fit) {
  std::vector<CrossValidation> all;
  for (const auto& folds : all_folds(model.measured))
    all.push_back(TUTTI_TRY(Validation(model, fit).run(folds)));
  return all;
}

std::string omitted_text(const CrossValidation& validation) {
  switch (validation.omitted) {
    case Omitted::collectives:
      return "each collective predicted by a fit without it";
    case Omitted::runs:
      return "each run predicted by a fit without it";
    case Omitted::scales:
      return "each number of nodes predicted by a fit without it";
    case Omitted::rows:
      break;
  }
  return fmt::format("every {}th row predicted by a fit without these rows", validation.folds);
}

}  // namespace tutti::studies
