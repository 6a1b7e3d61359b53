// SPDX-License-Identifier: BSD-3-Clause
// Evaluates a file of dynamic rules on any calls: its choice in each, compared with the library's
// own choice and the best algorithm.
#pragma once

#include "sim/base/common.hpp"
#include "sim/select/candidates.hpp"
#include "sim/select/rules.hpp"

namespace tutti::studies::select {

// The rules of a study, with the times behind them.

// Rules of one collective for one reader: Open MPI's file, or a function that sees every size. A
// reader that distinguishes placements has rules for each class of them.
struct SelectedRules {
  std::string reader;  // "rules file", "function"
  RuleSpec spec;
  RuleSet rules;

  std::optional<std::size_t> choice_in(const TimedCell& cell) const {
    return find_choice(rules, cell.procs, spec.seen(cell.procs, cell.message_bytes));
  }
};

// Results at sizes between those that the rules came from, before the rules included them.
struct BetweenSizes {
  std::size_t cells = 0;
  std::size_t above = 0;  // cells where the rules so far lost more than the bound
  double max_loss = 0;
};

struct SelectedCollective {
  TimeTable table;
  // The rules of the first reader come first. Not empty; the placements of a reader cover all
  // cells.
  std::vector<SelectedRules> rules;
  std::vector<BetweenSizes> between;  // by round
  std::int64_t omitted = 0;           // calls skipped because they have too many messages

  // The rules of the first reader that apply to the cell.
  const SelectedRules& rules_for(const TimedCell& cell) const {
    return *std::ranges::find_if(
        rules, [&](const SelectedRules& selected) { return selected.spec.placement.holds(cell); });
  }
};

struct Evaluation : CellStudy {
  std::shared_ptr<const algorithms::selection::DynamicRules> rules;
  bool has_best = true;  // false: only the rules and the library's own choice are run
};

struct EvaluationCell {
  std::string collective;
  Bytes message_bytes = 0;  // whole elements
  Bytes element_bytes = 1;
  platforms::PlacementRequest placement;
};
// Each message that contains whole elements, on each placement that is large enough for its
// processes.
std::vector<EvaluationCell> list_cells(const Evaluation& evaluation,
                                       const platforms::Machine& machine);

struct EvaluationCalls {
  std::vector<Candidate> candidates;
  // Calls of the candidates (none without `has_best`), of the library's own choice and, last, of
  // the rules' choice.
  CellCalls calls;
};
// An algorithm that the file names and the library does not run is an error at the file's line.
Result<EvaluationCalls> make_calls(const Evaluation& evaluation, const EvaluationCell& cell,
                                   const platforms::Machine& machine);

struct EvaluatedCell {
  EvaluationCell cell;
  int nodes = 0;
  int ppn = 0;       // maximum number of ranks on one node
  Candidate choice;  // choice of the rules
  int line = 0;      // line of the rule; 0: no rule decides
  Seconds time_s = 0;
  Candidate own;
  Seconds own_s = 0;
  Candidate best = {};
  std::optional<Seconds> best_s = {};  // the minimum over all calls that were run

  // Relative to the library's own choice: 0.05 is 5 % slower, negative is faster.
  double above_own() const { return own_s > 0 ? time_s / own_s - 1 : 0; }
};
// Evaluates the result of `simulate`; empty if the rules' or the library's call is too large.
std::optional<EvaluatedCell> evaluate(const EvaluationCell& cell, const EvaluationCalls& calls,
                                      const Row& row);

// Errors before anything is simulated: impossible calls, or (unless `force`) calls that need too
// much memory.
std::vector<Error> check_cells(const Evaluation& evaluation,
                               const std::vector<EvaluationCell>& cells,
                               const platforms::Machine& machine, bool force);

struct EvaluatedCells {
  std::vector<EvaluatedCell> cells;
  std::size_t too_large = 0;  // cells with a call of the rules or the library that is too large
  PointsRun run;
};
EvaluatedCells evaluate(const Evaluation& evaluation, const std::vector<EvaluationCell>& cells,
                        const platforms::Machine& machine, const RunPoints& run);

// Number of the axes' placements that are too small for their processes.
std::size_t count_unplaceable(const CellAxes& axes, const platforms::Machine& machine);

}  // namespace tutti::studies::select
