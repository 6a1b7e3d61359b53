// SPDX-License-Identifier: BSD-3-Clause
// Who times the cells of a study of rules: simulations in children, or models; and what rules made
// of predictions are worth.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/model_file.hpp"
#include "sim/select/rule_study.hpp"

namespace tutti::studies::select {

struct SelectedTimes {
  std::vector<SelectedCollective> collectives;  // with their rules
  PointsRun run;                                // of all simulations, without answers
};

// Errors of a cell that cannot be, or (unless `force`) not in the memory there is; before anything
// is simulated.
std::vector<Error> check_cells(const RuleStudy& study, const platforms::Machine& machine,
                               bool force);

// `models`: predict the times; null: they are simulated.
SelectedTimes time_cells(const RuleStudy& study, const ModelFile* models,
                         const platforms::Machine& machine, const RunPoints& run);

// A number of processes for which no placement has room.
std::optional<Error> without_room(const CellAxes& axes, const platforms::Machine& machine);

// What rules made of predictions are worth: the calls that they choose are simulated in every cell,
// and in a random tenth of the cells all that competed.
struct ModelTrial {
  std::size_t cells = 0;       // whose chosen call was simulated
  double median_error = 0;     // |predicted / simulated - 1| of these calls
  double largest_error = 0;    // the same
  std::size_t full_cells = 0;  // in which all that competed were simulated
  double mean_loss = 0;        // of the chosen call against the best there
  double largest_loss = 0;
  std::string worst_at = {};  // "bcast, 40 processes, 48 KiB"; empty: nothing is lost
  PointsRun run = {};

  // Sentences for reports and for the heads of files.
  std::vector<std::string> lines(const std::string& models) const;
};
// The first rules of each collective.
ModelTrial try_rules(const RuleStudy& study, const std::vector<SelectedCollective>& selected,
                     const platforms::Machine& machine, const RunPoints& run);

}  // namespace tutti::studies::select
