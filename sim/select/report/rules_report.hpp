// SPDX-License-Identifier: BSD-3-Clause
// What `sim select rules` tells of the rules that it made.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/select/evaluation.hpp"
#include "sim/select/rules.hpp"
#include "sim/select/time_table.hpp"

namespace tutti::reports {

struct RulesReport : ReportHead {
  std::vector<studies::select::SelectedCollective> collectives;
  studies::select::CellAxes axes;  // that were asked for
  double most_loss = 0.05;
  studies::select::Objective objective = studies::select::Objective::max;
  bool hierarchical = false;
  std::string models;              // the file whose predictions the times are; empty: simulated
  std::vector<std::string> trial;  // of such rules: what simulations say of them
  std::size_t not_run = 0;         // cells, after Ctrl-C
};

// "lose at most 5 %", or how much more where one rule has to serve several placements,
// numbers of processes and sizes of elements, and must not be slower than the library's own choice.
std::string bound_of(const RulesReport& report);

// Where the rules come from, where they hold and where not: sentences.
std::vector<std::string> scope_of(const RulesReport& report);

Document rules_document(const RulesReport& report);
std::vector<std::string> rules_document_parts();

// Of one collective, each algorithm by its best segments and fan-out, on the placement where it
// takes longest: for a map of winners.
Table winner_table(const studies::select::TimeTable& table);

// Rules as a C++ header that needs nothing: a function for each collective.

struct DecidedCollective {
  const studies::select::TimeTable* table = nullptr;
  // By message size as in CollectiveArgs.
  studies::select::RuleSet rules;
};

// `head`: comment lines without slashes.
std::string decision_functions(const std::vector<DecidedCollective>& collectives,
                               const std::vector<std::string>& head);

}  // namespace tutti::reports
