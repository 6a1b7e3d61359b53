// SPDX-License-Identifier: BSD-3-Clause
// Reads the tables that papers print.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies::papers {

// Reads a CSV file of data/ with '#' comments, a header and unquoted values. All values are texts,
// to preserve the printed digits.
Table printed_csv(std::string_view name);
// Reads an array of tables in a TOML file of data/. Its keys are the columns; arrays of texts are
// joined by " + ".
Table printed_toml(std::string_view name, std::string_view key);
// Returns the value of a cell. A number must be present; a missing text is empty.
double number_in(const Table& table, std::size_t row, std::string_view column);
std::string text_in(const Table& table, std::size_t row, std::string_view column);

// Tables 5.3 to 5.5 of S. Jha's dissertation.
struct PrintedTendency {
  int number = 0;     // of the case, 1 to 3
  std::string model;  // "even 1d"
  std::int64_t match = 0;
  std::int64_t mismatch = 0;

  double rate() const { return static_cast<double>(match) / static_cast<double>(match + mismatch); }
};
std::vector<PrintedTendency> printed_tendencies();

}  // namespace tutti::studies::papers
