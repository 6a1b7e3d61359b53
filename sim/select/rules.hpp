// SPDX-License-Identifier: BSD-3-Clause
// A table of times compressed to few rules: for each number of processes the fewest intervals of
// message sizes, each with one choice, that lose at most a bound in every cell of the table and are
// nowhere slower than the library's own choice by more than it.
#pragma once

#include "sim/base/common.hpp"
#include "sim/select/time_table.hpp"

namespace tutti::studies::select {

// Holds from its size up to the next rule's, the last one for all above.
struct Rule {
  Bytes from_bytes = 0;                    // as the rules' reader counts: SeenBytes
  std::optional<std::size_t> choice = {};  // of the table's candidates; none: the library's own

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

// What must keep the bound among cells that the reader of the rules cannot tell apart (placements;
// sizes that it does not see): the greatest loss, or the mean.
enum class Objective : unsigned char { max, mean };

struct RuleSpec {
  double most_loss = 0.05;
  SeenBytes seen = [](int, Bytes message_bytes) { return message_bytes; };
  Rivals rivals = Rivals::all;
  Objective objective = Objective::max;
  // Numbers of processes in the table, each between two that are not among these: their rules hold
  // for all between. Where there are none, a number's rules hold up to the next.
  std::set<int> between = {};
};

// Where no choice keeps the bound in all cells that the reader takes for one size, the one whose
// greatest (or mean) loss is least. A choice must not be slower than the library's own by more than
// the bound, on any size of elements, in any cell that its rule may reach between the timed ones;
// where none is, the library's own stays. So it does below the first size, and outside the timed
// numbers of processes. Neighbours share rules where these keep the bounds for both.
RuleSet rules_of(const TimeTable& table, const RuleSpec& spec);

// The choice that rules make; `bytes` as their reader counts.
std::optional<std::size_t> choice_of(const RuleSet& rules, int procs, Bytes bytes);

struct Losses {
  std::size_t cells = 0;
  std::size_t above = 0;  // of these, above the bound
  double max = 0;
  double mean = 0;
  const TimedCell* worst = nullptr;  // in the table
  // By how much a choice is slower than the library's own, at most, on any size of elements.
  double above_own = 0;
};
// Of following the rules, against the best; where they leave the choice to the library, of its own
// by every size of elements.
Losses losses_of(const TimeTable& table, const RuleSet& rules, const RuleSpec& spec);
// Of the library's own choice in all cells.
Losses own_losses_of(const TimeTable& table, const RuleSpec& spec);

// How many rules decide something.
std::size_t rule_count(const RuleSet& rules);

}  // namespace tutti::studies::select
