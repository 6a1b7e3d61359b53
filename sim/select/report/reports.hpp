// SPDX-License-Identifier: BSD-3-Clause
// The documents of `sim select`, the names of their tables, and rules as a C++ header.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/select/evaluation.hpp"
#include "sim/select/model_choice.hpp"
#include "sim/select/rules.hpp"
#include "sim/select/time_table.hpp"

namespace tutti::reports {

// `evaluate`: what a rules file is worth.

struct EvaluationReport : ReportHead {
  std::string file;
  std::vector<studies::select::EvaluatedCell> cells;  // each collective's together
  double tolerance = 0.05;                            // slower by more counts as slower
  std::size_t too_large = 0;                          // cells of too many messages
  std::size_t without_room = 0;                       // placements of a number of processes
  std::string noise;                                  // empty: none
};

Document evaluation_document(const EvaluationReport& report);
std::vector<std::string> evaluation_document_parts();

// `models`: the best algorithm and everyone's choice (Nuriyev, Lastovetsky, table 3), what each
// loses, figure 5.

struct ModelChoiceReport : ReportHead, studies::select::ModelChoices {
  std::vector<std::string> about;  // more sentences for the head
};

Document model_choice_document(const ModelChoiceReport& report);
std::vector<std::string> model_choice_document_parts();

// Choices that rest on predictions which the experiments of the models do not cover.
std::vector<std::string> model_choice_warnings(const ModelChoiceReport& report);

// `rules`: what was made.

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
