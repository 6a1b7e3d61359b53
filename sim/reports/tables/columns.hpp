// SPDX-License-Identifier: BSD-3-Clause
// What the columns of a table of results are for, and how they and their values are called where a
// person reads them.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

enum class Role : unsigned char {
  parameter,    // describes the point, as it was asked for; so does every unknown column
  chosen,       // describes it too, but may follow from the parameters (rules, defaults)
  result,       // what the simulation found
  cost,         // of the simulation itself
  bookkeeping,  // of the store
};
Role role_of(std::string_view column);
// The first two roles.
bool describes(std::string_view column);

enum class Quantity : unsigned char { number, bytes, seconds };
Quantity quantity_of(std::string_view column);

// "message_bytes" -> "message size", "time_s" -> "time", "mpi/eager_limit" as it is.
std::string words_of(std::string_view column);
// A value with its unit, without the column's name: "64 KiB", "1.50 us", "chain"; "none" for none.
std::string value_text(std::string_view column, const Cell& value);
// That names the column where the value alone would be a riddle: "576 processes", "segment 64 KiB".
std::string label_of(std::string_view column, const Cell& value);

// Of a number; of a text in a column of overrides ("mpi/eager_limit"), which may have a unit.
std::optional<double> number_of(std::string_view column, const Cell& value);
// Empty ones, flags, numbers by size, texts by alphabet.
bool cell_less(std::string_view column, const Cell& a, const Cell& b);
bool cells_equal(const Cell& a, const Cell& b);

std::optional<std::size_t> find_column(const Table& table, std::string_view name);

// The point has no result: the column `status` or `error` says so.
class FailedRows {
 public:
  explicit FailedRows(const Table& table);
  bool operator()(const std::vector<Cell>& row) const;

 private:
  std::optional<std::size_t> status_;
  std::optional<std::size_t> error_;
};

}  // namespace tutti::reports
