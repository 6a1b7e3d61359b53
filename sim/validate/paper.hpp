// SPDX-License-Identifier: BSD-3-Clause
// The papers whose tables are recomputed, and what came of each printed value.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.hpp"

namespace tutti::studies::papers {

enum class Verdict : unsigned char {
  equal,      // as far as it was printed
  recounted,  // a statement that the table's own printed entries bear out; nothing is computed
  misprint,   // the printed is wrong; `why` has the evidence
  differs,    // `why` has the reason, if one is known
  not_recomputable,  // measured, or to be simulated
};
const char* name_of(Verdict verdict);

struct CheckedValue {
  std::string item;      // "bcast chain, hockney"
  std::string printed;   // empty: blank, not printed
  std::string computed;  // empty: nothing
  Verdict verdict = Verdict::equal;
  std::string why = {};

  // Nobody knows why.
  bool is_unexplained() const { return verdict == Verdict::differs && why.empty(); }
};
using CheckedValues = std::vector<CheckedValue>;

struct PaperTable {
  std::string_view id;  // "4.1"
  std::string_view title;
  Result<CheckedValues> (*check)();  // errors: the catalog cannot be read
};

struct Paper {
  std::string_view number;  // "000"
  std::string_view name;    // "jha"
  std::string_view title;
  std::vector<PaperTable> tables;
};

const std::vector<Paper>& all_papers();
// By number or name; null: there is none.
const Paper* find_paper(std::string_view word);

}  // namespace tutti::studies::papers
