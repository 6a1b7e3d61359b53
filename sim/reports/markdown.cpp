// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "sim/reports/formats.hpp"
#include "sim/reports/people_table.hpp"

namespace tutti::reports {
namespace {

std::string markdown_escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '_' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

template <class TextOf>
std::string line_of(const PeopleTable& table, const TextOf& text_of) {
  std::string line = "|";
  for (const auto& column : table.columns) line += ' ' + text_of(column) + " |";
  return line + '\n';
}

}  // namespace

std::string markdown_list(const std::vector<std::string>& sentences) {
  std::string text;
  for (const auto& sentence : sentences) text += "* " + markdown_escaped(sentence) + '\n';
  return text;
}

std::string markdown_table(const PeopleTable& table) {
  std::string text;
  if (table.columns.empty()) return text;
  text += '\n' +
          line_of(table, [](const PeopleColumn& column) { return markdown_escaped(column.head); });
  text += line_of(table, [](const PeopleColumn& c) { return std::string(c.left ? ":--" : "--:"); });
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.starts_group[row] && !table.group_titles.empty())
      text += fmt::format("| **{}** |\n", markdown_escaped(table.group_titles[row]));
    text += line_of(
        table, [&](const PeopleColumn& column) { return markdown_escaped(column.cells[row]); });
  }
  if (!table.notes.empty()) text += '\n';
  return text + markdown_list(table.notes);
}

std::string markdown_page(const ReportHead& report, const PeopleTable& table) {
  return markdown_list(table.title) + markdown_list(provenance_lines(report)) +
         markdown_table(table);
}

}  // namespace tutti::reports
