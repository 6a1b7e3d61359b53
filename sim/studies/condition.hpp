// SPDX-License-Identifier: BSD-3-Clause
// Conditions of `--where` select points:
//   procs <= 1024 and algorithm == "ring"      message_size in (64KiB, 1MiB) or not (ppn = 1)
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies {

// The columns that a name refers to: "message_size" is message_bytes, and "algorithm" also refers
// to requested_algorithm.
std::vector<std::string> columns_named(const std::string& name);

// Returns the values of a name; an option and its column may differ ("auto" and the chosen
// algorithm). Empty: not set.
using CellsOf = std::function<std::vector<Cell>(const std::string&)>;

// Compares numbers as numbers, everything else as text.
bool same_cell(const Cell& a, const Cell& b);

// A parsed condition. `sim sweep --where` tests it on each point of a study (StudyPlan).
class Condition {
 public:
  // Parses comparisons == = != < <= > >= and `in (...)` of a name with values, combined by and, or,
  // not and parentheses. Sizes are numbers. Errors contain the column and the text.
  static Result<Condition> parse(std::string_view text);

  // A comparison is true if it is true for any of a name's values; != is true if == is not.
  bool holds(const CellsOf& cells) const { return test_(cells); }
  const std::set<std::string>& names() const { return names_; }

 private:
  using Test = std::function<bool(const CellsOf&)>;
  Condition(Test test, std::set<std::string> names)
      : test_(std::move(test)), names_(std::move(names)) {}

  friend class ConditionReader;
  Test test_;
  std::set<std::string> names_;
};

}  // namespace tutti::studies
