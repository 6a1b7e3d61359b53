// SPDX-License-Identifier: BSD-3-Clause
// What `--where` says: which points are meant.
//   procs <= 1024 and algorithm == "ring"      message_size in (64KiB, 1MiB) or not (ppn = 1)
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies {

// The columns that a name stands for: "message_size" is message_bytes, and an algorithm goes by
// what was asked for as well.
std::vector<std::string> columns_named(const std::string& name);

// The values that go by a name; an option and the column of its name may differ ("auto" and what it
// chose). None: not set.
using CellsOf = std::function<std::vector<Cell>(const std::string&)>;

// Numbers as numbers, all else as text.
bool same_cell(const Cell& a, const Cell& b);

class Condition {
 public:
  // Comparisons == = != < <= > >= and `in (...)` of a name with values, joined by and, or, not and
  // parentheses. Sizes are numbers. Errors have the column and the text.
  static Result<Condition> parse(std::string_view text);

  // A comparison holds if it does for any of a name's values; != if == does not.
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
