// SPDX-License-Identifier: BSD-3-Clause
// Leads from a request to rules: chooses the cells to time, adds cells between them, and makes
// rules from the times. The caller provides the times: simulations, or models.
#pragma once

#include "sim/base/common.hpp"
#include "sim/select/candidates.hpp"
#include "sim/select/evaluation.hpp"

namespace tutti::studies::select {

struct RuleStudy : CellStudy {
  double most_loss = 0.05;
  Objective objective = Objective::max;
  int rounds = 2;        // rounds that also time intermediate sizes
  bool for_file = true;  // rules that Open MPI's file supports
  // Rules for a reader that sees every size and, if several numbers of ranks per node are
  // requested, the number of nodes; at least one of both is set.
  bool for_function = true;
};

// A cell to time.
struct WantedCell {
  std::size_t collective = 0;  // index in the study's collectives
  int most_procs = 0;          // its rules apply up to this number
  Bytes message_bytes = 0;
  platforms::PlacementRequest placement;
};

using Inside = std::shared_ptr<const algorithms::selection::Selection>;

// `inside` decides the calls that algorithms make of other collectives; null: the fixed rules.
Result<CellCalls> make_calls(const RuleStudy& study, const WantedCell& cell, const Inside& inside,
                             const platforms::Machine& machine);

// The placements that the function distinguishes.
std::vector<SeenPlacement> placements_of_function(const CellAxes& axes);

// The cells that are timed first: errors in them are errors of the study.
std::vector<WantedCell> first_cells(const RuleStudy& study, const platforms::Machine& machine);

// Returns the times of cells, in their order. A cell without times (it failed, or the user
// interrupted) ends the study.
using TimesOf = std::function<std::vector<std::optional<CellTimes>>(const std::vector<WantedCell>&,
                                                                    const Inside&)>;

// Collectives with algorithms that call others come second: their calls use the rules of the first.
std::vector<SelectedCollective> run_study(const RuleStudy& study, const platforms::Machine& machine,
                                          const TimesOf& times_of);

}  // namespace tutti::studies::select
