// SPDX-License-Identifier: BSD-3-Clause
// An answer of several tables under one head: what `sim validate` and its like hand out. The first
// table holds the points, for `sim plot`, `sim compare` and programs; the others sum them up.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/cell.hpp"
#include "sim/base/result.hpp"
#include "sim/reports/plots/plot_wish.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {

// How people see a column: as it stands, with so many digits, in a unit.
enum class Shown : unsigned char {
  plain,        // texts, counts
  name,         // a text that may be long: shortened in its middle where room is short
  decimals,     // two digits behind the point
  fine,         // five digits behind the point
  significant,  // four digits in all
  us,           // of a column in seconds
  ms,
  bytes,          // "64 KiB"
  percent,        // of a part: 0.123 -> 12.3
  signed_percent  // +12.3
};

struct ShownAs {
  std::string head;  // above it
  Shown how = Shown::plain;
  int spare = 0;  // columns with the highest number go first where room is short; 0: stays
  int place = 0;  // left of those with a higher number; else in the order of the table
};

struct ShownColumn {
  std::string column;  // of the table
  ShownAs as;
};

struct DocumentTable {
  std::string name = {};                // one word, as --part takes it: "points", "summary"
  std::string title = {};               // a sentence
  Table table = {};                     // SI units, for programs
  std::vector<ShownColumn> shown = {};  // what people see of it; empty: all columns, plain
  // A blank line where this column's value changes; the value above the rows if it is not shown.
  std::string group_by = {};
  std::vector<std::string> notes = {};  // below it
  bool only_on_request = false;         // people see it with --part only
  // Of the columns as texts show them, behind the title: "in ms". Other formats have SI units.
  std::string shown_unit = {};
};

// Its provenance has a platform only where there is one.
struct Document : ReportHead {
  std::string schema = {};              // "sim.validate.models/1"
  std::vector<std::string> about = {};  // sentences; the first is the title
  std::vector<DocumentTable> tables = {};
  std::vector<PlotWords> plots = {};  // of the first table, as `sim report` draws them
};

// The names of its tables.
std::vector<std::string> parts_of(const Document& document);

// `part`: that table alone; empty: all (csv and jsonl: the first). Formats text, csv, json, jsonl
// and md; osu has no place here. Ends with a newline.
std::string render_document(const Document& document, Format format, std::string_view part = {},
                            std::optional<std::size_t> width = {});

// Says that a study was stopped, if it was: "INCOMPLETE: 3 calls were not run, the check was
// stopped".
void add_not_run(Document& document, std::size_t not_run, std::string_view what,
                 std::string_view study);

// Of a check without a platform: `command` and the versions.
Provenance plain_provenance(const std::string& command);

}  // namespace tutti::reports
