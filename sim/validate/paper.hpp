// SPDX-License-Identifier: BSD-3-Clause
// The papers whose tables are recomputed, and what came of each printed value.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies::papers {

// Numbers as papers print them: with so many digits, and no more is known of them.

// Digits behind the point: 2 of "20.61", 14 of "5.7e-13".
int decimals_of(std::string_view printed);

// Half of the last digit that is printed.
double half_digit(std::string_view printed);

// `value` comes out as printed, rounded up or down where it lies in the middle.
bool rounds_to(double value, std::string_view printed);

// `value` with as many digits behind the point as `printed` has.
std::string as_printed(double value, std::string_view printed);

// A printed formula as text: "(P-1)*(l+m/b)", with ^, max, log2, ceil, floor.

using Variables = std::map<std::string, double, std::less<>>;

class Formula {
 public:
  // `variables` names all that the text may use. A text that is no formula is a broken invariant:
  // printed formulas are built in.
  Formula(const std::string& text, const Variables& variables);
  Formula(Formula&&) noexcept;
  ~Formula();

  // With other values of the same variables.
  double operator()(const Variables& variables) const;

 private:
  struct OptionValues;
  std::unique_ptr<OptionValues> parsed_;
};

enum class Verdict : unsigned char {
  equal,      // as far as it was printed
  recounted,  // a statement that the table's own printed entries bear out; nothing is computed
  erratum,    // the printed is wrong; `why` has the evidence
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
