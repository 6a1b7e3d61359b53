// SPDX-License-Identifier: BSD-3-Clause
// Tables in text and Markdown. Values that are the same in all rows are in the title above the
// table; values that vary have a column.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {

// Shown in place of a missing value.
inline constexpr std::string_view no_value = "-";

struct TextColumn {
  std::string head;
  std::vector<std::string> cells;
  bool left = false;  // aligned to the left
  int spare = 0;  // if the table is too wide, the highest number is omitted first; 0: never omitted
  bool may_shorten = false;  // cells may lose their middle if the table is too wide
  bool is_below = false;     // paragraphs below the rows, preceded by the head if there is one
  std::size_t width() const;
};

struct TextTable {
  std::vector<std::string> title;  // sentences
  std::vector<TextColumn> columns;
  std::vector<bool> starts_group;            // for each row: true if a new group begins
  std::vector<std::string> group_titles{};   // for each row, printed above its group; may be empty
  std::vector<std::string> notes;            // below the table
  std::string all_columns = "--format csv";  // options that print columns omitted here

  std::size_t gap = 2;    // spaces between columns
  bool is_plain = false;  // no comment signs; groups are indented below their titles
  std::size_t rows() const { return starts_group.size(); }
  std::size_t width() const;
};

// The table of a report, with times in us; "-" if the engine is untimed. If several algorithms were
// requested for the same conditions, their rows form a group and the fastest one (smallest maximum,
// as printed) is marked; ties are all marked. If other algorithms were requested, too, the name of
// an algorithm chosen by rules includes the request.
TextTable text_table(const Report& report);
// This table fits `width` (a page if unset) if narrower gaps, and notes instead of
// "(runs ...)", are enough. Wider tables need `fit`; without a width they are not changed.
TextTable text_table(const Report& report, std::optional<std::size_t> width);

// The head of the report, followed by the table.
std::string text_page(const ReportHead& report, TextTable table, std::optional<std::size_t> width);
std::string markdown_page(const ReportHead& report, const TextTable& table);
// The parts of both: the table with its notes, and sentences one below the other.
std::string table_text(TextTable table, std::optional<std::size_t> width);
// `is_plain`: omit comment signs.
std::string comment_lines(const std::vector<std::string>& sentences, bool is_plain = false);
std::string markdown_table(const TextTable& table);
std::string markdown_list(const std::vector<std::string>& sentences);

// The text, shortened in the middle ("first...last") to at most `most` characters (4 or more).
std::string shortened(const std::string& text, std::size_t most);

// Makes the table at most `width` wide, if possible: first narrows gaps, then shortens long names,
// then omits columns. Notes report shortened names and omitted columns.
void fit(TextTable& table, std::size_t width);

}  // namespace tutti::reports
