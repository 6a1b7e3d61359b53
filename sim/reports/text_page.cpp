// SPDX-License-Identifier: BSD-3-Clause
// Writes tables as text and Markdown.
#include "sim/base/printable_text.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/text_table.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

constexpr std::string_view comment_sign = "# ";

// Prefixes every line with '#', so that gnuplot and awk skip it. Indents the continuation lines of
// long sentences.
std::string comment(const std::string& sentence, bool is_plain = false) {
  if (is_plain) return paragraph(printable(sentence), 0);
  std::string lines;
  for (const auto& line : wrap(printable_lines(sentence), page_width - 4))
    lines += (lines.empty() ? "# " : "#   ") + line + '\n';
  return lines;
}

std::string padded(const std::string& text, std::size_t width, bool left) {
  return left ? fmt::format("{:<{}}", text, width) : fmt::format("{:>{}}", text, width);
}

// `widths`: width of each column.
template <class TextOf>
std::string line_of(const TextTable& table, const std::vector<std::size_t>& widths,
                    const TextOf& text_of) {
  std::string line;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) line.append(table.gap, ' ');
    line += padded(text_of(table.columns[i]), widths[i], table.columns[i].left);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::vector<TextColumn> take_below(TextTable& table) {
  const auto below = std::ranges::stable_partition(
      table.columns, [](const TextColumn& column) { return !column.is_below; });
  std::vector<TextColumn> taken(below.begin(), below.end());
  table.columns.erase(below.begin(), below.end());
  return taken;
}

std::string paragraphs_of(const std::vector<TextColumn>& below, std::size_t row,
                          std::size_t indent) {
  std::string text;
  for (const auto& [head, cells, left, spare, may_shorten, is_below] : below)
    if (cells[row] != no_value)
      text += paragraph(head.empty() ? cells[row] : head + ": " + cells[row], indent);
  return text;
}

}  // namespace

std::string comment_lines(const std::vector<std::string>& sentences, bool is_plain) {
  std::string text;
  for (const auto& sentence : sentences) text += comment(sentence, is_plain);
  return text;
}

std::string table_text(TextTable table, std::optional<std::size_t> width) {
  std::string text;
  if (table.columns.empty()) return text;
  for (auto& column : table.columns) {
    column.head = printable(column.head);
    for (auto& cell : column.cells)
      cell = column.is_below ? printable_lines(cell) : printable(cell);
  }
  const auto below = take_below(table);
  const std::string indent(table.is_plain && !table.group_titles.empty() ? 2 : 0, ' ');
  // The heads are a comment, as in OSU's output.
  table.columns.front().head.insert(0, table.is_plain ? indent : comment_sign);
  for (auto& cell : table.columns.front().cells) cell.insert(0, indent);
  if (width || table.is_plain) fit(table, width.value_or(page_width));
  std::vector<std::size_t> widths;
  for (const auto& column : table.columns) widths.push_back(column.width());
  if (auto& first = table.columns.front(); !table.is_plain && !first.left)
    first.head = '#' + padded(first.head.substr(1), widths.front() - 1, false);
  text += line_of(table, widths, [](const TextColumn& column) { return column.head; });
  if (table.is_plain && text == "\n") text.clear();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.starts_group[row] && row > 0) text += '\n';
    if (table.starts_group[row] && !table.group_titles.empty())
      text += table.is_plain ? paragraph(printable(table.group_titles[row]), 0)
                             : comment(table.group_titles[row]);
    text += line_of(table, widths, [&](const TextColumn& column) { return column.cells[row]; });
    text += paragraphs_of(below, row, indent.size() + 4);
  }
  return text + comment_lines(table.notes, table.is_plain);
}

std::string text_page(const ReportHead& report, TextTable table, std::optional<std::size_t> width) {
  std::string page = comment_lines(table.title) + comment_lines(provenance_lines(report));
  page += table_text(std::move(table), width);
  if (report.critical_path) page += critical_path_text(*report.critical_path);
  return page;
}

namespace {

std::string markdown_escaped(const std::string& text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (c == '|' || c == '*' || c == '_' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

template <class TextOf>
std::string line_of(const TextTable& table, const TextOf& text_of) {
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

std::string markdown_table(const TextTable& table) {
  std::string text;
  if (table.columns.empty()) return text;
  text +=
      '\n' + line_of(table, [](const TextColumn& column) { return markdown_escaped(column.head); });
  text += line_of(table, [](const TextColumn& c) { return std::string(c.left ? ":--" : "--:"); });
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.starts_group[row] && !table.group_titles.empty())
      text += fmt::format("| **{}** |\n", markdown_escaped(table.group_titles[row]));
    text += line_of(table,
                    [&](const TextColumn& column) { return markdown_escaped(column.cells[row]); });
  }
  if (!table.notes.empty()) text += '\n';
  return text + markdown_list(table.notes);
}

std::string markdown_page(const ReportHead& report, const TextTable& table) {
  return markdown_list(table.title) + markdown_list(provenance_lines(report)) +
         markdown_table(table);
}

// Fits tables to a width.

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
