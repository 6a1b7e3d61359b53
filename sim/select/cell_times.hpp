// SPDX-License-Identifier: BSD-3-Clause
// Times the cells of a study of rules, by simulations in children or by models, and determines the
// losses of rules from predictions.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/model_file.hpp"
#include "sim/select/rule_study.hpp"

namespace tutti::studies::select {

struct SelectedTimes {
  std::vector<SelectedCollective> collectives;  // with their rules
  PointsRun run;                                // of all simulations, without answers
};

// Errors of impossible cells and (unless `force`) of cells that need too much memory, before
// anything is simulated.
std::vector<Error> check_cells(const RuleStudy& study, const platforms::Machine& machine,
                               bool force);

// `models`: predict the times; null: simulate them.
SelectedTimes time_cells(const RuleStudy& study, const ModelFile* models,
                         const platforms::Machine& machine, const RunPoints& run);

// Error for a number of processes that is too large for all placements.
std::optional<Error> placement_error(const CellAxes& axes, const platforms::Machine& machine);

// Losses of rules from predictions: the calls that they choose are simulated in every cell, and all
// candidates in a random tenth of the cells.
struct ModelTrial {
  std::size_t cells = 0;       // with a simulated chosen call
  double median_error = 0;     // median of |predicted / simulated - 1| of these calls
  double largest_error = 0;    // maximum of the same
  std::size_t full_cells = 0;  // with all candidates simulated
  double mean_loss = 0;        // of the chosen call compared with the best there
  double largest_loss = 0;
  std::string worst_at = {};  // "bcast, 40 processes, 48 KiB"; empty: no loss
  PointsRun run = {};

  // Sentences for reports and for the heads of files.
  std::vector<std::string> lines(const std::string& models) const;
};
// Tries the first rules of each collective.
ModelTrial try_rules(const RuleStudy& study, const std::vector<SelectedCollective>& selected,
                     const platforms::Machine& machine, const RunPoints& run);

}  // namespace tutti::studies::select
