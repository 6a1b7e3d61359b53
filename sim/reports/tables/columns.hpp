// SPDX-License-Identifier: BSD-3-Clause
// Roles of the columns of a result table, the words for columns and values in text and plots, and
// the order of rows.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

enum class Role : unsigned char {
  parameter,    // describes the point, as requested; the role of every unknown column
  chosen,       // describes the point, but may follow from the parameters (rules, defaults)
  result,       // result of the simulation
  cost,         // cost of the simulation: wall time, memory
  bookkeeping,  // data of the store
};
Role role_of(std::string_view column);
// True for the roles `parameter` and `chosen`.
bool describes(std::string_view column);

// A rate is in bytes per second; a fraction is shown in percent.
enum class Quantity : unsigned char { number, bytes, seconds, rate, fraction };
Quantity quantity_of(std::string_view column);

// "message_bytes" -> "message size", "time_s" -> "time", "mpi/eager_limit" as it is.
std::string words_of(std::string_view column);
// A value with its unit, without the column's name: "64 KiB", "1.50 us", "chain"; "none" if empty.
std::string value_text(std::string_view column, const Cell& value);
// A value with the column's name if the value alone would be unclear: "576 processes",
// "segment size 64 KiB".
std::string label_of(std::string_view column, const Cell& value);

// The value of a number, or of a text with a unit in a column of overrides ("mpi/eager_limit").
std::optional<double> number_of(std::string_view column, const Cell& value);
// Sorts empty cells before flags, numbers (by value) and texts (alphabetically).
bool cell_less(std::string_view column, const Cell& a, const Cell& b);
bool cells_equal(const Cell& a, const Cell& b);
// Compares the values of several columns, in order.
bool cells_less(const std::vector<std::string>& columns, const std::vector<Cell>& a,
                const std::vector<Cell>& b);

std::optional<std::size_t> find_column(const Table& table, std::string_view name);

// True for rows of points without a result, according to the column `status` or `error`.
class FailedRows {
 public:
  explicit FailedRows(const Table& table);
  bool operator()(const std::vector<Cell>& row) const;

 private:
  std::optional<std::size_t> status_;
  std::optional<std::size_t> error_;
};

// True if the rows, of which there must be one, differ in the column.
bool varies(const Table& table, std::size_t column);
// Indices of the rows, sorted by the varying parameters. A store returns points in the order of
// their keys.
std::vector<std::size_t> in_order(const Table& table);

}  // namespace tutti::reports
