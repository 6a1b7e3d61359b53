// SPDX-License-Identifier: BSD-3-Clause
// From what is asked for to rules: which cells are timed, which more between them, and the rules
// made of their times. Who times them is the caller's business: simulations, or models.
#pragma once

#include "sim/base/common.hpp"
#include "sim/select/candidates.hpp"
#include "sim/select/evaluation.hpp"

namespace tutti::studies::select {

struct RuleStudy : CellStudy {
  double most_loss = 0.05;
  Objective objective = Objective::max;
  int rounds = 2;            // in which sizes between are timed, too
  bool for_file = true;      // rules that Open MPI's file can hold
  bool for_function = true;  // rules of a reader that sees every size; one of both at least
};

// A cell that is wanted.
struct WantedCell {
  std::size_t collective = 0;  // of the study's
  int most_procs = 0;          // its rules hold up to there
  Bytes message_bytes = 0;
  platforms::PlacementRequest placement;
};

using Inside = std::shared_ptr<const algorithms::selection::Selection>;

// `inside` decides the calls that algorithms make of other collectives; null: the fixed rules.
Result<CellCalls> calls_of(const RuleStudy& study, const WantedCell& cell, const Inside& inside,
                           const platforms::Machine& machine);

// The cells that are timed first: errors in them are errors of the study.
std::vector<WantedCell> first_cells(const RuleStudy& study, const platforms::Machine& machine);

// The times of cells, in their order. One without them (it failed, or the user stopped) ends the
// study.
using TimesOf = std::function<std::vector<std::optional<CellTimes>>(const std::vector<WantedCell>&,
                                                                    const Inside&)>;

// Collectives whose algorithms call others come second: their calls obey the rules of the first.
std::vector<SelectedCollective> run_study(const RuleStudy& study, const platforms::Machine& machine,
                                          const TimesOf& times_of);

}  // namespace tutti::studies::select
