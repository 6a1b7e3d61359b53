// SPDX-License-Identifier: BSD-3-Clause
// Printed tables as values.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies::papers {

// A CSV file of data/: '#' comments, a header, values without quotes. All are texts: printed digits
// count.
Table printed_csv(std::string_view name);
// An array of tables of a TOML file of data/: its keys are the columns; arrays of texts become one
// text with " + " between.
Table printed_toml(std::string_view name, std::string_view key);
// Of a row; numbers must be such, texts may be missing (empty).
double number_in(const Table& table, std::size_t row, std::string_view column);
std::string text_in(const Table& table, std::size_t row, std::string_view column);

// Tables 5.3 to 5.5 of S. Jha's dissertation.
struct PrintedTendency {
  int number = 0;     // of the case
  std::string model;  // "even 1d"
  std::int64_t match = 0;
  std::int64_t mismatch = 0;

  double rate() const { return static_cast<double>(match) / static_cast<double>(match + mismatch); }
};
std::vector<PrintedTendency> printed_tendencies();

}  // namespace tutti::studies::papers
