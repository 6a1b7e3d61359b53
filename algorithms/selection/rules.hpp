// SPDX-License-Identifier: BSD-3-Clause
// Decision rules as they stand in rules/*.toml, with both of their forms (boxes of procs and bytes;
// ordered conditions) brought to one: the first rule that holds is used.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/selection/decision.hpp"

namespace tutti::algorithms::selection {

template <class T>
struct Interval {
  T min = 0;
  T max = std::numeric_limits<T>::max();

  bool holds(T value) const { return min <= value && value <= max; }
};

// procs < (or >, >=) slope * bytes + intercept
struct Line {
  enum class Side { below, above, above_or_on } side = Side::below;
  double slope = 0;  // processes per byte
  double intercept = 0;
};

struct Rule {
  Interval<int> procs;
  Interval<Bytes> bytes;
  Interval<Bytes> elements;
  bool procs_power_of_two = false;  // else it does not matter
  bool procs_odd = false;
  bool more_elements_than_procs = false;
  std::optional<Bytes> most_bytes_per_proc;  // bytes <= procs * this
  std::vector<Line> lines;

  int id = 0;
  std::string algorithm;
  Bytes segment_bytes = 0;
  int fanout = 0;

  // `query.message_bytes` is the byte count that the table means.
  bool holds(const Query& query) const;
};

struct RuleTable {
  std::string collective;
  bool whole_result = false;  // the rules look at the blocks of all ranks together, else at one
  std::vector<Rule> rules;
};

struct RuleSet {
  std::string_view name;
  std::vector<RuleTable> tables;
};

// All sets, parsed at the first call.
const std::vector<RuleSet>& all_rule_sets();

}  // namespace tutti::algorithms::selection
