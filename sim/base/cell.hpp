// SPDX-License-Identifier: BSD-3-Clause
// A value of a table of results, and the table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tutti {

// No value (not known, does not apply), a flag, a number, a text.
using Cell = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

struct NamedCell {
  std::string name;  // of the column: "time_s", "mpi/eager_limit"
  Cell value;
};
using Row = std::vector<NamedCell>;

// Locale-free; numbers as the shortest text that reads back the same; nothing for no value.
std::string to_text(const Cell& cell);
// Of a cell that is one.
std::optional<double> number_of(const Cell& cell);
// The value of a column; nothing where it is not there.
Cell cell_in(const Row& row, std::string_view name);

// As a CSV file: each row has a cell for every column.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
  std::vector<int> lines = {};  // where each row stands in its file; empty: not known
};

// Only the rows for which `is_wanted(row)`.
template <class IsWanted>
void keep_rows(Table& table, const IsWanted& is_wanted) {
  Table kept;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (!is_wanted(table.rows[i])) continue;
    kept.rows.push_back(std::move(table.rows[i]));
    if (!table.lines.empty()) kept.lines.push_back(table.lines[i]);
  }
  table.rows = std::move(kept.rows);
  table.lines = std::move(kept.lines);
}

}  // namespace tutti
