// SPDX-License-Identifier: BSD-3-Clause
// Compresses a table of times to few rules: for each number of processes the fewest intervals of
// message sizes, each with one choice, that lose at most a bound in every cell of the table and are
// nowhere slower than the library's own choice by more than this bound.
#pragma once

#include "sim/base/common.hpp"
#include "sim/select/time_table.hpp"

namespace tutti::studies::select {

// Applies from its size up to the next rule's; the last one applies to all larger sizes.
struct Rule {
  Bytes from_bytes = 0;  // as the reader counts: SeenBytes
  // Index in the table's candidates; unset: the library's own choice.
  std::optional<std::size_t> choice = {};

  bool operator==(const Rule&) const = default;
};

// Apply from this number of processes up to the next one's.
struct ProcsRules {
  int from_procs = 1;
  std::vector<Rule> rules;  // the first one's from_bytes is 0
};

using RuleSet = std::vector<ProcsRules>;  // the first one's from_procs is 1

// The size that the reader of the rules sees instead of the message size; nondecreasing in it.
using SeenBytes = std::function<Bytes(int procs, Bytes message_bytes)>;

// The loss that must keep the bound among cells that the reader of the rules does not distinguish
// (placements; sizes that it does not see): the maximum, or the mean.
enum class Objective : unsigned char { max, mean };

struct RuleSpec {
  double most_loss = 0.05;
  SeenPlacement placement = {};  // cells of other placements are ignored
  SeenBytes seen = [](int, Bytes message_bytes) { return message_bytes; };
  Rivals rivals = Rivals::all;
  Objective objective = Objective::max;
  // Numbers of processes in the table that represent all numbers between two others: their rules
  // apply to all of these. Without them, the rules of a number apply up to the next number.
  std::set<int> between = {};
};

// If no choice keeps the bound in all cells that the reader does not distinguish, the rule is the
// choice with the smallest maximum (or mean) loss. A choice must not be slower than the library's
// own by more than the bound, for any size of elements, in any cell that its rule may get between
// the timed ones; if there is no such choice, the rule is the library's own. The same applies below
// the first size, and outside the timed numbers of processes. Neighbors share rules that keep the
// bounds for both.
RuleSet compress_rules(const TimeTable& table, const RuleSpec& spec);

// The choice by the rules; `bytes` as their reader counts.
std::optional<std::size_t> find_choice(const RuleSet& rules, int procs, Bytes bytes);

struct Losses {
  std::size_t cells = 0;
  std::size_t above = 0;  // of these, cells above the bound
  double max = 0;
  double mean = 0;
  const TimedCell* worst = nullptr;  // in the table
  // Maximum slowdown compared with the library's own choice, over all sizes of elements.
  double above_own = 0;
};
// Losses of the rules compared with the best. Where they leave the choice to the library, its own
// choice counts for every size of elements.
Losses measure_losses(const TimeTable& table, const RuleSet& rules, const RuleSpec& spec);
// Losses of the library's own choice in all cells.
Losses measure_own_losses(const TimeTable& table, const RuleSpec& spec);

// The cells on placements for which the rules are.
TimeTable cells_for(const TimeTable& table, const RuleSpec& spec);

// Number of rules that decide something.
std::size_t rule_count(const RuleSet& rules);

}  // namespace tutti::studies::select
