// SPDX-License-Identifier: BSD-3-Clause
// Values of result tables, and the tables.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tutti {

// No value (unknown or not applicable), a flag, a number, or a text.
using Cell = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

struct NamedCell {
  std::string name;  // of the column: "time_s", "mpi/eager_limit"
  Cell value;
};
using Row = std::vector<NamedCell>;

// The text of a value, independent of the locale. Numbers become the shortest text that reads back
// exactly; no value becomes an empty text.
std::string to_text(const Cell& cell);
// The number in a cell, if it contains one.
std::optional<double> number_of(const Cell& cell);
// The value of a column; no value if the row does not have it.
Cell cell_in(const Row& row, std::string_view name);

// A table as in a CSV file: each row has a cell for every column.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
  std::vector<int> lines = {};  // line of each row in its file, from 1; empty: unknown
};

// Removes the rows for which `is_wanted(row)` is false.
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

// Conversion of C++ values into cells.

inline Cell cell_of(Cell cell) { return cell; }
inline Cell cell_of(std::floating_point auto number) { return static_cast<double>(number); }
inline Cell cell_of(std::integral auto number) { return static_cast<std::int64_t>(number); }
inline Cell cell_of(bool flag) { return flag; }
inline Cell cell_of(const std::string& text) { return text; }
inline Cell cell_of(std::string_view text) { return std::string(text); }
inline Cell cell_of(const char* text) { return std::string(text); }
// An empty optional becomes no value.
template <class T>
Cell cell_of(const std::optional<T>& value) {
  return value ? cell_of(*value) : Cell{};
}

// No value if the text is empty.
inline Cell text_cell(std::string_view text) { return text.empty() ? Cell{} : cell_of(text); }
// No value if the number is not positive.
inline Cell positive_cell(std::int64_t number) { return number > 0 ? Cell{number} : Cell{}; }
// part / whole; no value if `whole` is not positive.
inline Cell ratio_cell(auto part, auto whole) {
  return whole > 0 ? Cell{static_cast<double>(part) / static_cast<double>(whole)} : Cell{};
}

}  // namespace tutti
