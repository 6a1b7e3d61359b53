// SPDX-License-Identifier: BSD-3-Clause
// The table that a person reads (text and Markdown): what is constant stands above it, what varies
// has a column.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {

// What people see where a value is missing.
inline constexpr std::string_view no_value = "-";

struct TextColumn {
  std::string head;
  std::vector<std::string> cells;
  bool left = false;  // aligned to the left
  int spare = 0;      // columns with the highest number go first where room is short; 0: stays
  bool may_shorten = false;  // cells lose their middle where room is short
  bool is_below = false;     // paragraphs below their rows, behind the head if there is one
  std::size_t width() const;
};

struct TextTable {
  std::vector<std::string> title;  // sentences
  std::vector<TextColumn> columns;
  std::vector<bool> starts_group;            // by row: where a new set of rivals begins
  std::vector<std::string> group_titles{};   // by row, above it; empty: there are none
  std::vector<std::string> notes;            // below the table
  std::string all_columns = "--format csv";  // what shows those that have no room

  std::size_t gap = 2;    // spaces between columns
  bool is_plain = false;  // no comment signs; groups are indented below their titles
  std::size_t rows() const { return starts_group.size(); }
  std::size_t width() const;
};

// Times in us, "-" where the engine has none. Where several algorithms were asked for under the
// same conditions, their rows stand together and the fastest (least maximum, as shown) is marked; a
// tie marks all of them. A name tells the request too where rules chose it and others ran beside.
TextTable text_table(const Report& report);
// Made to fit `width`, or a page if unset, where narrower gaps and notes in place of "(runs ...)"
// are enough for that. Wider ones are for `fit`; without a width they stay as they are.
TextTable text_table(const Report& report, std::optional<std::size_t> width);

// The table below what every report begins with.
std::string text_page(const ReportHead& report, TextTable table, std::optional<std::size_t> width);
std::string markdown_page(const ReportHead& report, const TextTable& table);
// The parts of the two: the table with its notes, sentences one below the other.
std::string table_text(TextTable table, std::optional<std::size_t> width);
// `is_plain`: without comment signs.
std::string comment_lines(const std::vector<std::string>& sentences, bool is_plain = false);
std::string markdown_table(const TextTable& table);
std::string markdown_list(const std::vector<std::string>& sentences);

// A text of at most so many characters (4 or more): the first ones, "...", and the last.
std::string shortened(const std::string& text, std::size_t most);

// Makes the table at most `width` wide, as far as can be: narrower gaps first, then long names are
// shortened, then columns are left out; a note tells it.
void fit(TextTable& table, std::size_t width);

}  // namespace tutti::reports
