// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "sim/reports/formats.hpp"
#include "sim/reports/people_table.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

constexpr std::string_view comment_sign = "# ";

// The sign before every line, so that gnuplot and awk skip it; long sentences go on indented.
std::string comment(const std::string& sentence) {
  std::string lines;
  for (const auto& line : wrap(sentence, page_width - 4))
    lines += (lines.empty() ? "# " : "#   ") + line + '\n';
  return lines;
}

std::string padded(const std::string& text, std::size_t width, bool left) {
  return left ? fmt::format("{:<{}}", text, width) : fmt::format("{:>{}}", text, width);
}

// `widths` by column.
template <class TextOf>
std::string line_of(const PeopleTable& table, const std::vector<std::size_t>& widths,
                    const TextOf& text_of) {
  std::string line;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) line.append(table.gap, ' ');
    line += padded(text_of(table.columns[i]), widths[i], table.columns[i].left);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

}  // namespace

std::string comment_lines(const std::vector<std::string>& sentences) {
  std::string text;
  for (const auto& sentence : sentences) text += comment(sentence);
  return text;
}

std::string table_text(PeopleTable table, std::optional<std::size_t> width) {
  std::string text;
  if (table.columns.empty()) return text;
  // OSU's look: the heads are a comment as well.
  table.columns.front().head.insert(0, comment_sign);
  if (width) fit(table, *width);
  std::vector<std::size_t> widths;
  for (const auto& column : table.columns) widths.push_back(column.width());
  text += line_of(table, widths, [](const PeopleColumn& column) { return column.head; });
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.starts_group[row] && row > 0) text += '\n';
    if (table.starts_group[row] && !table.group_titles.empty())
      text += comment(table.group_titles[row]);
    text += line_of(table, widths, [&](const PeopleColumn& column) { return column.cells[row]; });
  }
  return text + comment_lines(table.notes);
}

std::string text_page(const ReportHead& report, PeopleTable table,
                      std::optional<std::size_t> width) {
  std::string page = comment_lines(table.title) + comment_lines(provenance_lines(report));
  page += table_text(std::move(table), width);
  if (report.critical_path) page += critical_path_text(*report.critical_path);
  return page;
}

}  // namespace tutti::reports
