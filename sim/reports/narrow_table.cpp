// SPDX-License-Identifier: BSD-3-Clause
// Tables for people that fit a width.
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/utf8.hpp"
#include "sim/reports/people_table.hpp"

namespace tutti::reports {

std::size_t PeopleColumn::width() const {
  std::size_t most = head.size();
  for (const auto& cell : cells) most = std::max(most, cell.size());
  return most;
}

std::size_t PeopleTable::width() const {
  std::size_t sum = 0;
  for (const auto& each : columns) sum += each.width() + gap;
  return sum == 0 ? 0 : sum - gap;
}

std::string shortened(const std::string& text, std::size_t most) {
  constexpr std::string_view between = "...";
  const std::size_t all = count_characters(text);
  if (all <= most) return text;
  const std::size_t kept = most - between.size();
  std::string made;
  for (std::size_t i = 0, character = 0; i < text.size(); ++character) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text, i));
    if (character == kept / 2) made += between;
    if (character < kept / 2 || character >= all - (kept - kept / 2)) made.append(text, i, length);
    i += length;
  }
  return made;
}

namespace {

// As far as that brings the table to its width, but not below `least` characters. True: it did.
bool shorten(PeopleTable& table, std::size_t width, std::size_t least) {
  bool any = false;
  for (auto& column : table.columns) {
    const std::size_t now = column.width(), all = table.width();
    if (!column.may_shorten || all <= width || now <= least) continue;
    const std::size_t most = std::max(least, now - std::min(now, all - width));
    for (auto& cell : column.cells) cell = shortened(cell, most);
    any = true;
  }
  return any;
}

}  // namespace

void fit(PeopleTable& table, std::size_t width) {
  constexpr std::size_t readable = 30, least_readable = 16;  // characters of a name
  const auto fits = [&](std::size_t gap) {
    table.gap = gap;
    return table.width() <= width;
  };
  bool is_short = !fits(1) && shorten(table, width, readable);
  std::string left_out;
  while (!fits(1)) {
    const auto spare = std::max_element(
        table.columns.begin(), table.columns.end(),
        [](const PeopleColumn& a, const PeopleColumn& b) { return a.spare < b.spare; });
    if (spare == table.columns.end() || spare->spare == 0) break;
    left_out += (left_out.empty() ? "" : ", ") + spare->head;
    table.columns.erase(spare);
  }
  is_short |= !fits(1) && shorten(table, width, least_readable);
  if (!fits(2)) table.gap = 1;
  if (is_short)
    table.notes.push_back(fmt::format("names are shortened ({} has all)", table.all_columns));
  if (!left_out.empty())
    table.notes.push_back(
        fmt::format("left out for want of room: {} ({} has all)", left_out, table.all_columns));
}

}  // namespace tutti::reports
