// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/formats.hpp"
#include "sim/reports/people_table.hpp"

namespace tutti::reports {
namespace {

std::string escaped(const std::string& text) {
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

std::string render_markdown(const Report& report) {
  return markdown_page(report, people_table(report));
}

std::string markdown_page(const ReportHead& report, const PeopleTable& table) {
  std::string text;
  for (const auto& sentence : table.title) text += "* " + escaped(sentence) + '\n';
  for (const auto& line : provenance_lines(report)) text += "* " + escaped(line) + '\n';
  if (table.columns.empty()) return text;
  text += '\n' + line_of(table, [](const PeopleColumn& column) { return escaped(column.head); });
  text += line_of(table, [](const PeopleColumn& c) { return std::string(c.left ? ":--" : "--:"); });
  for (std::size_t row = 0; row < table.rows(); ++row)
    text += line_of(table, [&](const PeopleColumn& column) { return escaped(column.cells[row]); });
  if (!table.notes.empty()) text += '\n';
  for (const auto& note : table.notes) text += "* " + escaped(note) + '\n';
  return text;
}

}  // namespace tutti::reports
