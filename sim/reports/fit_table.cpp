// SPDX-License-Identifier: BSD-3-Clause
// Fits text tables to a width.
#include "sim/base/printable_text.hpp"
#include "sim/reports/text_table.hpp"

namespace tutti::reports {

std::size_t TextColumn::width() const {
  std::size_t most = count_characters(head);
  for (const auto& cell : cells) most = std::max(most, count_characters(cell));
  return most;
}

std::size_t TextTable::width() const {
  std::size_t sum = 0;
  for (const auto& column : columns) sum += column.width() + gap;
  return sum == 0 ? 0 : sum - gap;
}

std::string shortened(const std::string& text, std::size_t most) {
  constexpr std::string_view between = "...";
  const std::size_t all = count_characters(text);
  if (all <= most) return text;
  const std::size_t kept = most - between.size();
  std::string fitted;
  for (std::size_t i = 0, character = 0; i < text.size(); ++character) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text, i));
    if (character == kept / 2) fitted += between;
    if (character < kept / 2 || character >= all - (kept - kept / 2))
      fitted.append(text, i, length);
    i += length;
  }
  return fitted;
}

namespace {

// Shortens names until the table fits `width`, but not below `least` characters. Returns true if it
// shortened any.
bool shorten(TextTable& table, std::size_t width, std::size_t least) {
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

void fit(TextTable& table, std::size_t width) {
  constexpr std::size_t readable = 30, least_readable = 16;  // characters of a name
  const auto fits = [&](std::size_t gap) {
    table.gap = gap;
    return table.width() <= width;
  };
  bool is_short = !fits(1) && shorten(table, width, readable);
  std::string omitted;
  while (!fits(1)) {
    const auto spare = std::max_element(
        table.columns.begin(), table.columns.end(),
        [](const TextColumn& a, const TextColumn& b) { return a.spare < b.spare; });
    if (spare == table.columns.end() || spare->spare == 0) break;
    omitted += (omitted.empty() ? "" : ", ") + spare->head;
    table.columns.erase(spare);
  }
  is_short |= !fits(1) && shorten(table, width, least_readable);
  if (!fits(2)) table.gap = 1;
  if (is_short)
    table.notes.push_back(
        fmt::format("long names are shortened ({} prints them in full)", table.all_columns));
  if (!omitted.empty())
    table.notes.push_back(fmt::format("omitted for lack of width: {} ({} prints all columns)",
                                      omitted, table.all_columns));
}

}  // namespace tutti::reports
