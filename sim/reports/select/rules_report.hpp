// SPDX-License-Identifier: BSD-3-Clause
// What `sim select rules` tells of the rules that it made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/reports/document/document.hpp"
#include "sim/studies/select/rules.hpp"

namespace tutti::reports {

// Rules of one collective for one reader: Open MPI's file, or a function that sees every size.
struct SelectedRules {
  std::string reader;  // "rules file", "function"
  studies::select::RuleWish wish;
  studies::select::RuleSet rules;
};

// What was simulated between the sizes that the rules came from, before these joined them.
struct BetweenSizes {
  std::size_t cells = 0;
  std::size_t above = 0;  // where the rules so far lost more than the bound
  double max_loss = 0;
};

struct SelectedCollective {
  studies::select::TimeTable table;
  std::vector<SelectedRules> rules;   // not empty
  std::vector<BetweenSizes> between;  // by round
  std::int64_t left_out = 0;          // calls of too many messages
};

struct RulesReport : ReportHead {
  std::vector<SelectedCollective> collectives;
  double most_loss = 0.05;
  bool hierarchical = false;
  std::string models;       // the file whose predictions the times are; empty: simulated
  std::size_t not_run = 0;  // cells, after Ctrl-C
};

Document rules_document(const RulesReport& report);
std::vector<std::string> rules_document_parts();

// Of one collective, each algorithm by its best segments and fan-out: for a map of winners.
Table winner_table(const studies::select::TimeTable& table);

}  // namespace tutti::reports
