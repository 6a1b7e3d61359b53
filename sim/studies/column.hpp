// SPDX-License-Identifier: BSD-3-Clause
// The columns of a table of records, one table for all machine formats.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/cell.hpp"

namespace tutti::studies {

template <class Record>
struct ColumnOf {
  std::string_view name;
  Cell (*get)(const Record&);
  bool is_cost = false;  // differs from run to run
};

inline Cell cell(const std::string& text) { return text.empty() ? Cell{} : Cell{text}; }
inline Cell cell(bool flag) { return flag; }
inline Cell cell(std::int64_t number) { return number; }
inline Cell cell(double number) { return number; }
template <class T>
Cell cell(const std::optional<T>& value) {
  return value ? Cell{*value} : Cell{};
}

// Those before the one of this name.
template <class Record>
constexpr std::span<const ColumnOf<Record>> columns_before(std::span<const ColumnOf<Record>> all,
                                                           std::string_view name) {
  std::size_t count = 0;
  while (count < all.size() && all[count].name != name) ++count;
  return all.first(count);
}

// A record's engine where formulas fill it and nothing is simulated (--model-only).
inline constexpr std::string_view model_engine = "model";

// The getter of one member of a record.
template <auto member, class Record>
Cell get_member(const Record& record) {
  return cell(record.*member);
}
// Of a member that only a simulation knows.
template <auto member, class Record>
Cell get_simulated(const Record& record) {
  return record.engine == model_engine ? Cell() : cell(record.*member);
}

}  // namespace tutti::studies
