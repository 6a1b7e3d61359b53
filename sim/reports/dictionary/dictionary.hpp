// SPDX-License-Identifier: BSD-3-Clause
// The dictionary of the columns of all results: name, unit and meaning, as `sim help columns`
// prints. The columns of the records of `sim run` are declared with their fields, all others in
// columns.txt.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

enum class ColumnUnit : unsigned char {
  text,
  flag,
  number,  // a count, a ratio or a fraction: unit 1
  seconds,
  bytes,
  rate,  // bytes per second
  seconds_per_byte,
  percent,
  any  // values of several types
};

struct ColumnMeaning {
  std::string_view name;  // "*" matches any characters: "ompi-*"
  ColumnUnit unit;
  std::string_view meaning;  // a sentence; literal `words` are in backquotes
};

// Columns of one kind of result. The columns of the first group of reports and those of collectives
// are not repeated in other groups.
struct ColumnGroup {
  std::string_view title;
  std::vector<ColumnMeaning> columns;
};

// All columns, first those of the records of `sim run`.
const std::vector<ColumnGroup>& column_groups();

// The columns with one of these names; all if there are no names. Errors: an unknown name.
Result<Document> columns_listing(const std::vector<std::string>& names);

}  // namespace tutti::reports
