// SPDX-License-Identifier: BSD-3-Clause
// Reports of `sim select`, the names of their tables, and rules as a C++ header.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/select/cell_times.hpp"
#include "sim/select/evaluation.hpp"
#include "sim/select/model_choice.hpp"
#include "sim/select/rule_study.hpp"
#include "sim/select/rules.hpp"
#include "sim/select/time_table.hpp"

namespace tutti::reports {

// "Open MPI 5.0" for "ompi-5.0".
std::string library_title(const std::string& library);

// Report of `evaluate`: the losses of a rules file.

struct EvaluationReport : ReportHead, studies::select::EvaluatedCells {
  std::string file;
  std::string library;      // that reads the file
  double tolerance = 0.05;  // a cell counts as slower if it is slower by more than this fraction
  std::size_t unplaceable = 0;  // placements too small for the number of processes
  std::string noise = {};       // empty: none
};

Document evaluation_document(const EvaluationReport& report);
std::vector<std::string> evaluation_document_parts();

// Report of `models`: the best algorithm and each chooser's choice (Nuriyev and Lastovetsky, table
// 3), and the loss of each (figure 5).

struct ModelChoiceReport : ReportHead, studies::select::ModelChoices {
  std::vector<std::string> about;  // further sentences for the head of the report
};

Document model_choice_document(const ModelChoiceReport& report);
std::vector<std::string> model_choice_document_parts();

// Warnings about choices by predictions outside the range of the models' experiments.
std::vector<std::string> model_choice_warnings(const ModelChoiceReport& report);

// Report of `rules`.

struct RulesReport : ReportHead, studies::select::SelectedTimes {
  studies::select::RuleStudy study;
  std::string allocations;      // the file of allocations; empty: none
  std::string models;           // the file of models that predicted the times; empty: simulated
  std::size_t unplaceable = 0;  // placements too small for the number of processes
  std::vector<std::string> trial = {};  // the errors of rules from predictions, as sentences

  const std::string& library() const { return study.candidates.library; }
};

// "lose at most 5 %", or how much more where one rule serves several placements, numbers of
// processes and sizes of elements and must not be slower than the library's own choice.
std::string bound_text(const RulesReport& report);

// Sentences about the origin of the rules, and where they apply.
std::vector<std::string> scope_lines(const RulesReport& report);

// Tables of `rules`.
DocumentTable hierarchical_table(const RulesReport& report);
DocumentTable schedules_table(const RulesReport& report);

Document rules_document(const RulesReport& report);
std::vector<std::string> rules_document_parts();

// The data of a map of winners: each algorithm of one collective with its best segments and
// fan-out, on the placement where it takes longest.
Table winner_table(const studies::select::TimeTable& table);

// Rules as a C++ header without dependencies: a function for each collective.

struct DecidedCollective {
  const studies::select::TimeTable* table = nullptr;
  // Rules by message size as defined by CollectiveArgs, for all placements or each class of them.
  std::vector<const studies::select::SelectedRules*> rules = {};
};

// `head`: comment lines, without slashes.
std::string decision_functions(const std::vector<DecidedCollective>& collectives,
                               const std::vector<std::string>& head);

}  // namespace tutti::reports
