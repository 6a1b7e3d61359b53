// SPDX-License-Identifier: BSD-3-Clause
// A file of dynamic rules judged on any calls: what it makes of each, against the library's own
// choice and the best of the algorithms.
#pragma once

#include "sim/base/common.hpp"
#include "sim/select/candidates.hpp"
#include "sim/select/rules.hpp"

namespace tutti::studies::select {

// Rules as they were found, with the times behind them.

// Rules of one collective for one reader: Open MPI's file, or a function that sees every size.
struct SelectedRules {
  std::string reader;  // "rules file", "function"
  RuleSpec spec;
  RuleSet rules;
};

// What was simulated between the sizes that the rules came from, before these joined them.
struct BetweenSizes {
  std::size_t cells = 0;
  std::size_t above = 0;  // where the rules so far lost more than the bound
  double max_loss = 0;
};

struct SelectedCollective {
  TimeTable table;
  std::vector<SelectedRules> rules;   // not empty
  std::vector<BetweenSizes> between;  // by round
  std::int64_t omitted = 0;           // calls of too many messages
};

struct Evaluation : CellStudy {
  std::shared_ptr<const algorithms::selection::DynamicRules> rules;
  bool has_best = true;  // false: nothing but the rules and the library's own choice is run
};

struct EvaluationCell {
  std::string collective;
  Bytes message_bytes = 0;  // whole elements
  Bytes element_bytes = 1;
  platforms::PlacementRequest placement;
};
// Each message that a cell's elements fill, on each placement that has room for its processes.
std::vector<EvaluationCell> cells_of(const Evaluation& evaluation,
                                     const platforms::Machine& machine);

struct EvaluationCalls {
  std::vector<Candidate> candidates;
  // The candidates' (none where nothing but these is run), the library's own, the rules' choice
  // last.
  CellCalls calls;
};
// An algorithm that the file names and the library does not run is an error with the file's line.
Result<EvaluationCalls> calls_of(const Evaluation& evaluation, const EvaluationCell& cell,
                                 const platforms::Machine& machine);

struct EvaluatedCell {
  EvaluationCell cell;
  int nodes = 0;
  int ppn = 0;       // most ranks on one node
  Candidate choice;  // of the rules
  int line = 0;      // of the rule; 0: none decides
  Seconds time_s = 0;
  Candidate own;
  Seconds own_s = 0;
  Candidate best = {};
  std::optional<Seconds> best_s = {};  // the least of all that was run

  // Against the library's own choice: 0.05 is 5 % slower, below 0 is faster.
  double above_own() const { return own_s > 0 ? time_s / own_s - 1 : 0; }
};
// From what `simulate` gives; nothing where the rules' or the library's call is too large.
std::optional<EvaluatedCell> evaluated(const EvaluationCell& cell, const EvaluationCalls& calls,
                                       const Row& row);

// Errors before anything is simulated: calls that cannot be, or (unless `force`) not in the memory.
std::vector<Error> check_cells(const Evaluation& evaluation,
                               const std::vector<EvaluationCell>& cells,
                               const platforms::Machine& machine, bool force);

struct EvaluatedCells {
  std::vector<EvaluatedCell> cells;
  std::size_t too_large = 0;  // cells of which the rules' or the library's call is
  PointsRun run;
};
EvaluatedCells evaluate(const Evaluation& evaluation, const std::vector<EvaluationCell>& cells,
                        const platforms::Machine& machine, const RunPoints& run);

// So many of the axes' have no room for their processes.
std::size_t placements_without_room(const CellAxes& axes, const platforms::Machine& machine);

}  // namespace tutti::studies::select
