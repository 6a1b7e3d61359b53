// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/cross_validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sim/base/quantile.hpp"

namespace tutti::studies {
namespace {

using Eigen::Index;

// Which fold each row is in. Messages between two nodes are in none: each fit has them.
constexpr std::size_t always_kept = std::numeric_limits<std::size_t>::max();

struct Folds {
  std::vector<std::size_t> of_row;
  std::vector<std::string> names;
  bool by_collective = false;
};

Folds folds_of(const std::vector<MeasuredCollective>& measured) {
  constexpr std::size_t row_folds = 5;
  Folds folds;
  std::map<std::string, std::size_t> known;
  std::size_t collectives = 0;
  for (const auto& row : measured) {
    if (row.message) {
      folds.of_row.push_back(always_kept);
      continue;
    }
    ++collectives;
    const auto [at, is_new] = known.try_emplace(row.collective, folds.names.size());
    if (is_new) folds.names.push_back(row.collective);
    folds.of_row.push_back(at->second);
  }
  folds.by_collective = folds.names.size() > 1;
  if (folds.by_collective) return folds;
  folds.names.clear();
  for (std::size_t i = 0; i < std::min(row_folds, collectives); ++i)
    folds.names.push_back(fmt::format("part {}", i + 1));
  std::size_t next = 0;
  for (auto& fold : folds.of_row)
    if (fold != always_kept) fold = next++ % folds.names.size();
  return folds;
}

}  // namespace

Result<CrossValidation> cross_validated(const SimulatedModel& model, const SimulatedFit& fit) {
  // The start knows what is left out. New Jacobians lead away from it, as far as the other times
  // say; where there are many of these the numbers hardly move, and one is enough.
  constexpr std::size_t many_rows = 200;
  const int jacobians = model.measured.size() < many_rows ? enough_jacobians : 1;
  const Folds folds = folds_of(model.measured);
  CrossValidation validation{
      .folds = folds.names.size(), .by_collective = folds.by_collective, .times = {}};
  std::vector<std::size_t> time_of_row;
  for (const auto& row : model.measured) {
    time_of_row.push_back(validation.times.size());
    if (!row.message) validation.times.push_back({row.collective, row.message_bytes});
  }
  const auto times = static_cast<Index>(model.measured.size());
  const Index preferences = fit.jacobian.rows() - times;
  for (std::size_t fold = 0; fold < folds.names.size(); ++fold) {
    std::vector<MeasuredCollective> kept, left_out;
    std::vector<std::size_t> rows;
    Eigen::MatrixXd jacobian(fit.jacobian.rows(), fit.jacobian.cols());
    Index next = 0;
    for (std::size_t i = 0; i < model.measured.size(); ++i) {
      if (folds.of_row[i] == fold) {
        left_out.push_back(model.measured[i]);
        rows.push_back(i);
      } else {
        kept.push_back(model.measured[i]);
        jacobian.row(next++) = fit.jacobian.row(static_cast<Index>(i));
      }
    }
    jacobian.middleRows(next, preferences) = fit.jacobian.bottomRows(preferences);
    jacobian.conservativeResize(next + preferences, Eigen::NoChange);
    const SimulatedModel without{kept,          model.machine_of, model.preferences,
                                 model.scatter, model.jobs,       {}};
    const auto again =
        TUTTI_TRY(fit_by_simulation(without, fit.numbers, std::move(jacobian), jacobians));
    const SimulatedModel others{left_out,      model.machine_of, model.preferences,
                                model.scatter, model.jobs,       {}};
    const auto errors = TUTTI_TRY(log_errors(others, again.numbers));
    std::vector<double> of_fold;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double log_error = (errors)[static_cast<Index>(i)];
      validation.times[time_of_row[rows[i]]].simulated_over_measured = std::exp(log_error);
      of_fold.push_back(std::abs(std::expm1(log_error)));
    }
    if (model.progress)
      model.progress(fmt::format("without {}: its median error {:.1f} %", folds.names[fold],
                                 100 * median_of(std::move(of_fold))));
  }
  return validation;
}

}  // namespace tutti::studies
