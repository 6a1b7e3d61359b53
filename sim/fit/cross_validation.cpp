// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/cross_validation.hpp"

#include "sim/base/quantile.hpp"

namespace tutti::studies {
namespace {

using Eigen::Index;

// Fold of each row. Messages between two nodes are in no fold: each fit contains them.
constexpr std::size_t always_kept = std::numeric_limits<std::size_t>::max();

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
  Result<Eigen::VectorXd> predicted(const Folds& folds, std::size_t fold) const {
    const auto times = static_cast<Index>(model_.measured.size());
    const Index preferences = fit_.jacobian.rows() - times;
    std::vector<MeasuredCollective> kept, omitted;
    RunEffects effects = model_.effects;
    effects.run_of_row.clear();
    Eigen::MatrixXd jacobian(fit_.jacobian.rows(), fit_.jacobian.cols());
    Index next = 0;
    for (std::size_t i = 0; i < model_.measured.size(); ++i) {
      if (folds.of_row[i] == fold) {
        omitted.push_back(model_.measured[i]);
        continue;
      }
      kept.push_back(model_.measured[i]);
      if (effects.runs > 0) effects.run_of_row.push_back(model_.effects.run_of_row[i]);
      jacobian.row(next++) = fit_.jacobian.row(static_cast<Index>(i));
    }
    jacobian.middleRows(next, preferences) = fit_.jacobian.bottomRows(preferences);
    jacobian.conservativeResize(next + preferences, Eigen::NoChange);
    const auto without = model_.of_rows(kept, effects);
    const auto again =
        TUTTI_TRY(fit_by_simulation(without, fit_.numbers, std::move(jacobian), jacobians(folds)));
    return log_errors(model_.of_rows(omitted),
                      again.numbers.head(again.numbers.size() - effects.count()));
  }

  // The start contains information on the omitted rows. New Jacobians lead away from it as far as
  // the other times determine; with many rows the numbers hardly move, and one Jacobian suffices.
  int jacobians(const Folds& folds) const {
    constexpr std::size_t many_rows = 200;
    const bool few = model_.measured.size() < many_rows;
    if (folds.omitted == Omitted::runs || folds.omitted == Omitted::scales) return few ? 2 : 0;
    return few ? enough_jacobians : 1;
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
