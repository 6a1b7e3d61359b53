// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/papers/printed_tables.hpp"

#include "sim/base/text_file.hpp"
#include "sim/studies/papers/printed_texts.hpp"

namespace tutti::studies::papers {
namespace {

Cell cell_at(const Table& table, std::size_t row, std::string_view column) {
  const auto found = std::ranges::find(table.columns, column);
  if (found == table.columns.end()) return {};
  return table.rows[row][static_cast<std::size_t>(found - table.columns.begin())];
}

}  // namespace

std::string_view printed_text(std::string_view name) {
  for (const auto& each : printed_texts())
    if (each.name == name) return each.text;
  TUTTI_CHECK(false, "no printed table " + std::string(name));
  return {};
}

Table printed_csv(std::string_view name) {
  Table table;
  LineReader lines(printed_text(name), name);
  while (const auto line = lines.next()) {
    const auto parts = split(*line, ',');
    if (table.columns.empty()) {
      table.columns.assign(parts.begin(), parts.end());
      continue;
    }
    TUTTI_CHECK(parts.size() == table.columns.size(), "a row has the wrong number of values");
    auto& row = table.rows.emplace_back();
    for (const auto part : parts) row.push_back(part.empty() ? Cell{} : Cell{std::string(part)});
  }
  return table;
}

double number_in(const Table& table, std::size_t row, std::string_view column) {
  const Cell cell = cell_at(table, row, column);
  if (const auto number = number_of(cell)) return *number;
  const auto number = parse_number(to_text(cell));
  TUTTI_CHECK(number, "no number in " + std::string(column));
  return *number;
}

std::string text_in(const Table& table, std::size_t row, std::string_view column) {
  return to_text(cell_at(table, row, column));
}

std::vector<PrintedTendency> printed_tendencies() {
  std::vector<PrintedTendency> all;
  const Table table = printed_csv("jha_table5_3_5_5");
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    all.push_back({static_cast<int>(number_in(table, row, "case")), text_in(table, row, "model"),
                   static_cast<std::int64_t>(number_in(table, row, "match")),
                   static_cast<std::int64_t>(number_in(table, row, "mismatch"))});
  return all;
}

}  // namespace tutti::studies::papers
