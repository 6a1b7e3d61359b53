// SPDX-License-Identifier: BSD-3-Clause
// A table of times compressed to few rules: for each number of processes the fewest intervals of
// message sizes, each with one choice, that lose at most a bound in every cell of the table.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "sim/studies/select/time_table.hpp"

namespace tutti::studies::select {

// Holds from its size up to the next rule's, the last one for all above.
struct Rule {
  Bytes from_bytes = 0;                    // as the rules' reader counts: SeenBytes
  std::optional<std::size_t> choice = {};  // of the table's candidates; none: not decided

  bool operator==(const Rule&) const = default;
};

// Hold from this number of processes up to the next one's.
struct ProcsRules {
  int from_procs = 1;
  std::vector<Rule> rules;  // the first one's from_bytes is 0
};

using RuleSet = std::vector<ProcsRules>;  // the first one's from_procs is 1

// What the reader of the rules looks at in place of a message's size; does not fall as that grows.
using SeenBytes = std::function<Bytes(int procs, Bytes message_bytes)>;

struct RuleWish {
  double most_loss = 0.05;
  SeenBytes seen = [](int, Bytes message_bytes) { return message_bytes; };
  Rivals rivals = Rivals::all;
};

// Where no choice keeps the bound in all cells that the reader takes for one size, the one whose
// greatest loss is least. Below the first size and the first number of processes nothing is
// decided. Neighbouring numbers of processes share rules where these keep the bound for both.
RuleSet rules_of(const TimeTable& table, const RuleWish& wish);

// The choice that rules make; `bytes` as their reader counts.
std::optional<std::size_t> choice_of(const RuleSet& rules, int procs, Bytes bytes);

struct Losses {
  std::size_t cells = 0;
  std::size_t above = 0;  // of these, above the bound
  double max = 0;
  double mean = 0;
  const TimedCell* worst = nullptr;  // in the table
};
// `choice`: of a cell; a cell without one is left out.
Losses losses_of(const TimeTable& table, const RuleWish& wish,
                 const std::function<std::optional<std::size_t>(const TimedCell&)>& choice);
Losses losses_of(const TimeTable& table, const RuleSet& rules, const RuleWish& wish);

// How many rules decide something.
std::size_t rule_count(const RuleSet& rules);

}  // namespace tutti::studies::select
