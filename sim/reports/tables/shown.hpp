// SPDX-License-Identifier: BSD-3-Clause
// How tables for readers show the columns of a report. Each column is declared once; text, Markdown
// and pages follow the declaration, which JSON reports contain.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

// How the values of a column are shown.
enum class Shown : unsigned char {
  plain,           // texts, counts
  name,            // text that may be long; shortened in the middle if the table is too wide
  decimals,        // two decimals
  fine,            // five decimals
  significant,     // four significant digits
  us,              // seconds in us
  ms,              // seconds in ms
  ns_per_B,        // seconds per byte in ns per byte, four significant digits
  bytes,           // "64 KiB"
  percent,         // a fraction in percent: 0.123 -> 12.3
  signed_percent,  // +12.3
  rate,            // "1.94 GB/s"
  time,            // "400 ns"
  by_size,         // text; "by size" if it has a value for each of several sizes
  below            // a paragraph below the row, preceded by the head if there is one
};
// The names in JSON, in the order of the enumeration.
inline constexpr std::array<std::string_view, 15> shown_names{
    "plain", "name",    "decimals",       "fine", "significant", "us",      "ms",   "ns/B",
    "bytes", "percent", "signed percent", "rate", "time",        "by size", "below"};

inline std::string_view shown_name(Shown how) { return shown_names[static_cast<std::size_t>(how)]; }
// `plain` for an unknown name.
inline Shown shown_named(std::string_view name) {
  const auto entry = std::ranges::find(shown_names, name);
  return entry == shown_names.end() ? Shown::plain
                                    : static_cast<Shown>(entry - shown_names.begin());
}

struct ShownAs {
  std::string head = {};
  Shown how = Shown::plain;
  int spare = 0;  // if the table is too wide, the highest number is omitted first; 0: never omitted
  int place = 0;  // lower numbers are further left; within a number, the order of the table
  // Text and Markdown omit a value if it and those of all such columns further left are the same as
  // in the row above.
  bool once = false;
};

struct ShownColumn {
  std::string column;  // of the table
  ShownAs as;
};

// The shown columns of a table, from left to right.
struct TableLook {
  std::vector<ShownColumn> columns = {};  // empty: all, plain
  // Rows with the same value of this column are a group.
  std::string group_by = {};
};

}  // namespace tutti::reports
