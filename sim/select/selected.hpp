// SPDX-License-Identifier: BSD-3-Clause
// Rules as they were found, with the times behind them.
#pragma once

#include <string>
#include <vector>

#include "sim/select/rules.hpp"

namespace tutti::studies::select {

// Rules of one collective for one reader: Open MPI's file, or a function that sees every size.
struct SelectedRules {
  std::string reader;  // "rules file", "function"
  RuleWish wish;
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
  std::int64_t left_out = 0;          // calls of too many messages
};

}  // namespace tutti::studies::select
