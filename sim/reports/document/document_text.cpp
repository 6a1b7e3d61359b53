// SPDX-License-Identifier: BSD-3-Clause
// Writes documents as text and Markdown.
#include "sim/reports/document/document.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/sidecar.hpp"
#include "sim/reports/text_table.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

struct NumberFormat {
  Shown how;
  const char* format;
  double factor;
};
constexpr NumberFormat number_formats[] = {
    {Shown::decimals, "{:.2f}", 1},         {Shown::fine, "{:.5f}", 1},
    {Shown::significant, "{:.4g}", 1},      {Shown::us, "{:.2f}", 1e6},
    {Shown::ns_per_B, "{:.4g}", 1e9},       {Shown::percent, "{:.1f}", 100},
    {Shown::signed_percent, "{:+.1f}", 100}};

std::string number_text(Shown how, double value) {
  if (how == Shown::bytes) return format_bytes(static_cast<Bytes>(value));
  if (how == Shown::rate) return format_rate(value);
  if (how == Shown::time) return format_seconds(value);
  const bool is_percent = how == Shown::percent || how == Shown::signed_percent;
  if (is_percent && std::abs(value) < 0.0005) value = 0;  // not "-0.0"
  const auto known = std::ranges::find(number_formats, how, &NumberFormat::how);
  if (known == std::end(number_formats)) return fmt::format("{:.10g}", value);
  return fmt::format(fmt::runtime(known->format), value * known->factor);
}

std::string cell_text(Shown how, const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return std::string(no_value);
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "yes" : "no";
  if (const auto* text = std::get_if<std::string>(&cell))
    return how == Shown::by_size && is_by_size(*text) ? "by size" : printable(*text);
  return number_text(how, *tutti::number_of(cell));
}

// Decimals of a value in ms with this number of significant digits.
int decimals_for(double ms, int digits) {
  return std::clamp(digits - 1 - static_cast<int>(std::floor(std::log10(ms))), 0, 6);
}

// Decimals of a column in ms, so that its numbers are aligned: four digits of the largest value
// and, down to us, of the smallest.
int ms_decimals(const Table& table, std::size_t column) {
  constexpr int down_to_us = 3;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const auto& row : table.rows)
    if (const auto number = tutti::number_of(row[column]); number && *number != 0) {
      least = std::min(least, std::abs(*number) * 1e3);
      most = std::max(most, std::abs(*number) * 1e3);
    }
  if (most == 0) return 0;
  return std::max(decimals_for(most, 4), std::min(decimals_for(least, 4), down_to_us));
}

std::string ms_text(const Cell& cell, int decimals) {
  const auto value = tutti::number_of(cell);
  if (!value) return cell_text(Shown::ms, cell);
  return *value == 0 ? "0" : fmt::format("{:.{}f}", *value * 1e3, decimals);
}

std::size_t index_of(const Table& table, const std::string& column) {
  const auto place = std::ranges::find(table.columns, column);
  TUTTI_CHECK(place != table.columns.end(), "no column " + column);
  return static_cast<std::size_t>(place - table.columns.begin());
}

TextColumn column_of(const Table& table, const ShownColumn& shown) {
  const std::size_t at = index_of(table, shown.column);
  TextColumn text{.head = shown.as.head,
                  .cells = {},
                  .spare = shown.as.spare,
                  .may_shorten = shown.as.how == Shown::name,
                  .is_below = shown.as.how == Shown::below};
  const bool is_ms = shown.as.how == Shown::ms;
  const int decimals = is_ms ? ms_decimals(table, at) : 0;
  for (const auto& row : table.rows) {
    text.cells.push_back(is_ms ? ms_text(row[at], decimals) : cell_text(shown.as.how, row[at]));
    text.left |= std::holds_alternative<std::string>(row[at]);
  }
  return text;
}

void add_groups(const DocumentTable& table, const std::vector<ShownColumn>& shown,
                TextTable& text_columns) {
  const auto& rows = table.table.rows;
  text_columns.starts_group.assign(rows.size(), false);
  if (table.group_by.empty()) return;
  const std::size_t at = index_of(table.table, table.group_by);
  const bool has_titles =
      std::ranges::find(shown, table.group_by, &ShownColumn::column) == shown.end();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    text_columns.starts_group[row] = row == 0 ? has_titles : rows[row][at] != rows[row - 1][at];
    if (has_titles) text_columns.group_titles.push_back(cell_text(Shown::plain, rows[row][at]));
  }
}

// Clears the cells of columns shown once that repeat the row above.
void clear_repetitions(const std::vector<ShownColumn>& shown, std::vector<TextColumn>& columns) {
  const std::size_t rows = columns.empty() ? 0 : columns.front().cells.size();
  for (std::size_t row = rows; row-- > 1;)
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (!shown[i].as.once) continue;
      if (columns[i].cells[row] != columns[i].cells[row - 1]) break;
      columns[i].cells[row].clear();
    }
}

TextTable text_table(const DocumentTable& table) {
  TextTable text;
  const auto shown = shown_columns(table);
  if (!table.table.rows.empty())
    for (const auto& column : shown) text.columns.push_back(column_of(table.table, column));
  clear_repetitions(shown, text.columns);
  add_groups(table, shown, text);
  text.all_columns = table.all_columns.empty() ? fmt::format("--part {} --format csv", table.name)
                                               : table.all_columns;
  text.notes = table.notes;
  return text;
}

// All columns with a head. Paragraphs below rows become columns, unless all of them are empty.
TextTable with_all_heads(const DocumentTable& table) {
  TextTable text = text_table(table);
  const auto shown = shown_columns(table);
  for (std::size_t i = 0; i < text.columns.size(); ++i)
    if (text.columns[i].head.empty()) text.columns[i].head = shown[i].column;
  std::erase_if(text.columns, [](const TextColumn& column) {
    return column.is_below && std::ranges::all_of(column.cells, [](const auto& cell) {
             return cell.empty() || cell == no_value;
           });
  });
  return text;
}

std::string title_of(const DocumentTable& table) {
  return table.shown_unit.empty() ? table.title : table.title + ", " + table.shown_unit;
}

struct Parts {
  std::vector<const DocumentTable*> shown;
  std::vector<std::string> notes;  // on tables that are not shown
};

Parts parts_to_show(const std::vector<DocumentTable>& tables, std::string_view part) {
  Parts parts;
  for (const auto& table : tables) {
    if (part.empty() ? !table.only_on_request : table.name == part)
      parts.shown.push_back(&table);
    else if (const auto rows = table.table.rows.size(); part.empty() && rows > 0)
      parts.notes.push_back(
          fmt::format("--part {}: {} ({})", table.name, table.title, counted(rows, "row")));
  }
  return parts;
}

// The first rows of a table that has too many to show with all other parts; empty if it has not.
std::optional<DocumentTable> first_rows(const DocumentTable& table, std::string_view part) {
  const auto rows = table.table.rows.size();
  if (!part.empty() || table.most_shown == 0 || rows <= table.most_shown) return std::nullopt;
  DocumentTable first = table;
  first.table.rows.resize(table.most_shown);
  first.notes.push_back(
      fmt::format("{} of {} rows: --part {} shows all", table.most_shown, rows, table.name));
  return first;
}

std::vector<std::string> lines_of_facts(const Document& document) {
  std::vector<std::string> lines;
  for (const auto& [name, value, label, text] : document.facts)
    if (!text.empty()) lines.push_back(label + (label.empty() ? "" : ": ") + text);
  return lines;
}

std::string facts_text(const Document& document) {
  constexpr std::size_t gap = 3;
  std::size_t width = 0;
  for (const auto& fact : document.facts)
    if (!fact.label.empty()) width = std::max(width, fact.label.size() + gap);
  std::string lines;
  for (const auto& [name, value, label, text] : document.facts)
    lines += name.empty() && text.empty() ? "\n" : paragraph(printable(text), width, label);
  return lines;
}

}  // namespace

std::string document_text(const Document& document, std::string_view part,
                          std::optional<std::size_t> width) {
  const bool is_plain = document.is_listing();
  std::string text = comment_lines(document.about, is_plain);
  if (!is_plain) text += comment_lines(provenance_lines(document));
  if (part.empty()) text += facts_text(document);
  const Parts parts = parts_to_show(document.tables, part);
  for (const auto* whole : parts.shown) {
    const auto first = first_rows(*whole, part);
    const DocumentTable& table = first ? *first : *whole;
    if (table.table.rows.empty() && table.title.empty()) continue;
    if (!text.empty()) text += is_plain ? "\n" : "#\n";
    text += comment_lines({title_of(table) + (table.table.rows.empty() ? ": none" : "")}, is_plain);
    TextTable text_columns = text_table(table);
    text_columns.is_plain = is_plain;
    text += text_columns.columns.empty() ? comment_lines(text_columns.notes)
                                         : table_text(text_columns, width);
  }
  if (!parts.notes.empty() && !is_plain) text += "#\n" + comment_lines(parts.notes);
  return text;
}

std::string document_markdown(const Document& document, std::string_view part) {
  std::string text = markdown_list(document.about);
  if (!document.is_listing()) text += markdown_list(provenance_lines(document));
  if (part.empty()) text += markdown_list(lines_of_facts(document));
  for (const auto* whole : parts_to_show(document.tables, part).shown) {
    const auto first = first_rows(*whole, part);
    const DocumentTable& table = first ? *first : *whole;
    if (!table.title.empty()) text += fmt::format("\n## {}\n", title_of(table));
    if (!table.table.rows.empty()) text += markdown_table(with_all_heads(table));
  }
  return text.substr(text.starts_with('\n') ? 1 : 0);
}

}  // namespace tutti::reports
