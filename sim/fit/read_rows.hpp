// SPDX-License-Identifier: BSD-3-Clause
// What was read from a table's rows, and which of them say nothing that could be read.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "sim/base/cell.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/units.hpp"

namespace tutti::studies {

// A message or a collective; what is beyond was measured in another unit, or not at all.
inline constexpr Seconds least_measured_s = 1e-12;
inline constexpr Seconds most_measured_s = 1e6;
inline bool is_measurable(double time_s) {
  return time_s >= least_measured_s && time_s <= most_measured_s;
}

// Rows that should have been read, but could not be.
struct LeftOutRows {
  std::size_t count = 0;
  std::size_t first = 0;  // of the table's rows
  std::string why;        // of the first

  void add(std::size_t row, std::string reason) {
    if (count++ > 0) return;
    first = row;
    why = std::move(reason);
  }
};

template <class T>
struct ReadRows {
  std::vector<T> found;
  LeftOutRows left_out;
};

// The line of a row; 0: not known.
inline int line_of(const Table& table, std::size_t row) {
  return row < table.lines.size() ? table.lines[row] : 0;
}

inline Error error_of_row(const Table& table, std::size_t row, std::string message,
                          std::string hint = "") {
  auto error = make_error(ErrorKind::input, "", std::move(message), std::move(hint));
  error.line = line_of(table, row);
  if (error.line == 0) error.message = fmt::format("row {}: {}", row + 1, error.message);
  return error;
}

// Of a table in which nothing was found: what it lacks, or why its rows are none.
inline Error nothing_found(const Table& table, const LeftOutRows& left_out,
                           const std::string& message, const std::string& hint) {
  if (left_out.count == 0) return make_error(ErrorKind::input, "", message, hint);
  return error_of_row(table, left_out.first, fmt::format("{}: {}", message, left_out.why), hint);
}

}  // namespace tutti::studies
