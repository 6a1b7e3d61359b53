// SPDX-License-Identifier: BSD-3-Clause
// The papers whose tables are recomputed, and the verdict on each printed value.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies::papers {

// Printed numbers, which are known only to their printed digits.

// Number of decimals: 2 for "20.61", 14 for "5.7e-13".
int decimals_of(std::string_view printed);

// Half a unit of the last printed digit.
double half_digit(std::string_view printed);

// True if `value` rounds to the printed number; a value exactly in the middle may round up or down.
bool rounds_to(double value, std::string_view printed);

// `value` with the same number of decimals as `printed`.
std::string as_printed(double value, std::string_view printed);

// A printed formula as text: "(P-1)*(l+m/b)", with ^, max, log2, ceil, floor.

using Variables = std::map<std::string, double, std::less<>>;

class Formula {
 public:
  // `variables` contains all names that the text may use. An invalid formula is a broken invariant,
  // because printed formulas are built in.
  Formula(const std::string& text, const Variables& variables);
  Formula(Formula&&) noexcept;
  ~Formula();

  // Evaluates the formula with other values of the same variables.
  double operator()(const Variables& variables) const;

 private:
  struct OptionValues;
  std::unique_ptr<OptionValues> parsed_;
};

enum class Verdict : unsigned char {
  equal,             // to the printed precision
  recounted,         // a statement that the table's own entries confirm; nothing is computed
  erratum,           // the printed value is wrong; `why` contains the evidence
  differs,           // `why` contains the reason, if known
  not_recomputable,  // measured, or simulated elsewhere
};
const char* name_of(Verdict verdict);

struct CheckedValue {
  std::string item;      // "bcast chain, hockney"
  std::string printed;   // empty: blank or not printed
  std::string computed;  // empty: not computed
  Verdict verdict = Verdict::equal;
  std::string why = {};

  // True if the value differs and the reason is unknown.
  bool is_unexplained() const { return verdict == Verdict::differs && why.empty(); }
};
using CheckedValues = std::vector<CheckedValue>;

struct PaperTable {
  std::string_view id;  // "4.1"
  std::string_view title;
  Result<CheckedValues> (*check)();  // error: the catalog cannot be read
  // The figure of silas_runs.hpp whose predictions the check compares; empty: none.
  std::string_view figure = {};
};

struct Paper {
  std::string_view number;  // "000", an alias of the name
  std::string_view name;    // "jha"
  std::string_view title;
  std::vector<PaperTable> tables;
};

const std::vector<Paper>& all_papers();
// Finds a paper by name or number; null if there is none.
const Paper* find_paper(std::string_view word);

}  // namespace tutti::studies::papers
