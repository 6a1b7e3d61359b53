// SPDX-License-Identifier: BSD-3-Clause
// An answer of several tables under one head: what `sim validate` and its like hand out. The first
// table holds the points, for `sim plot`, `sim compare` and programs; the others sum them up.
#pragma once

#include <iterator>
#include <type_traits>

#include "sim/base/common.hpp"
#include "sim/reports/plots/plot_spec.hpp"
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
  bytes,           // "64 KiB"
  percent,         // of a part: 0.123 -> 12.3
  signed_percent,  // +12.3
  rate,            // "1.94 GB/s"
  time,            // "400 ns"
  below            // a paragraph below the row, behind its head if it has one
};

struct ShownAs {
  std::string head = {};  // above it
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
  std::string all_columns = {};         // how to see them; empty: by --part and --format csv
  bool only_on_request = false;         // people see it with --part only
  // Of the columns as texts show them, behind the title: "in ms". Other formats have SI units.
  std::string shown_unit = {};
  // Of a listing: JSON has an object with a member for each row, named by its first column, in
  // place of an array.
  bool is_keyed = false;
  bool omits_empty = false;  // of a listing: JSON has no members without a value
};

// A line of a listing's head.
struct Fact {
  std::string name = {};  // in JSON; empty: for people alone
  Cell value = {};
  std::string label = {};  // before `text`
  std::string text = {};   // empty: for programs alone
};

// Its provenance has a platform only where there is one. Without provenance it is a listing: what
// there is, as `sim list` and `sim platform` print it. Its text has no comment signs. Its JSON has
// a member for each fact, and the rows of each table in one of its name. Names of facts and columns
// may be paths ("diameter.links"); an object without any value is null. One that ends in [] has a
// list of words with spaces between them. Rows of one column are values. A fact without a value
// says where a table stands among the members.
struct Document : ReportHead {
  std::string schema = {};              // "sim.validate.models/1"
  std::vector<std::string> about = {};  // sentences; the first is the title
  std::vector<DocumentTable> tables = {};
  std::vector<PlotWords> plots = {};  // of the first table, as `sim report` draws them
  std::vector<Fact> facts = {};       // of a listing

  bool is_listing() const { return provenance.version.empty(); }
  // A fact for programs, one for people, and a blank line between those.
  template <class Value>
  void know(std::string name, const Value& value) {
    facts.push_back({.name = std::move(name), .value = cell_of(value)});
  }
  void place_table(std::string name) { facts.push_back({.name = std::move(name)}); }
  void add_fact(std::string label, std::string text) {
    facts.push_back({.label = std::move(label), .text = std::move(text)});
  }
  void leave_line() { facts.emplace_back(); }
};
Document listing_of(std::string schema, std::vector<DocumentTable> tables,
                    std::vector<std::string> about = {});

// The names of tables.
std::vector<std::string> parts_of(const std::vector<DocumentTable>& tables);

// `part`: that table alone; empty: all (csv and jsonl: the first). Formats text, csv, json, jsonl
// and md; osu has no place here. Ends with a newline.
std::string render_document(const Document& document, Format format, std::string_view part = {},
                            std::optional<std::size_t> width = {});

// Says that a study was stopped, if it was: "INCOMPLETE: 3 calls were not run, the check was
// stopped".
void add_not_run(Document& document, std::size_t not_run, std::string_view what,
                 std::string_view study);

// A document's table is its columns. Each is declared once: its name for programs, where its cells
// come from, and how people see it, if they do.

// A row's cell: `get` is a member of the row, or a function of it. Rows may be pointers.
template <class Row, class Get>
Cell cell_from(const Row& row, const Get& get) {
  if constexpr (std::is_pointer_v<Row>)
    return cell_from(*row, get);
  else if constexpr (std::is_member_function_pointer_v<Get>)
    return cell_of((row.*get)());
  else if constexpr (std::is_member_object_pointer_v<Get>)
    return cell_of(row.*get);
  else
    return cell_of(get(row));
}

// For a column that people see only under a condition.
inline std::optional<ShownAs> shown_if(bool condition, ShownAs shown) {
  return condition ? std::optional(std::move(shown)) : std::nullopt;
}

// Rows of any type, kept as long as this is. A vector that is no temporary is only looked at.
template <class Rows>
class TableOf {
 public:
  // `head`: a table without columns and rows; its name is that of its part.
  explicit TableOf(Rows&& rows, DocumentTable head = {})
      : rows_(std::forward<Rows>(rows)), made_(std::move(head)) {
    made_.table.rows.resize(std::size(rows_));
  }

  // A column for programs alone.
  template <class Get>
  void add(std::string name, const Get& get) {
    auto row = made_.table.rows.begin();
    for (const auto& each : rows_) (row++)->push_back(cell_from(each, get));
    made_.table.columns.push_back(std::move(name));
  }
  // One that people see, too.
  template <class Get>
  void add(std::string name, ShownAs shown, const Get& get) {
    made_.shown.push_back({name, std::move(shown)});
    add(std::move(name), get);
  }
  // One that people see only where `shown` says how.
  template <class Get>
  void add(std::string name, std::optional<ShownAs> shown, const Get& get) {
    if (shown)
      add(std::move(name), *std::move(shown), get);
    else
      add(std::move(name), get);
  }
  // One that groups the rows: people see a blank line where its value changes, and its value above
  // the rows where it is not shown among the columns.
  template <class Get>
  void group(std::string name, const Get& get) {
    made_.group_by = name;
    add(std::move(name), get);
  }
  template <class Get>
  void group(std::string name, ShownAs shown, const Get& get) {
    made_.group_by = name;
    add(std::move(name), std::move(shown), get);
  }

  DocumentTable take() { return std::move(made_); }

 private:
  Rows rows_;
  DocumentTable made_;
};

template <class Rows>
explicit TableOf(Rows&&, DocumentTable = {}) -> TableOf<Rows>;

// The tables of a document, declared once: for --part, and for the document itself.

// A table that documents of a kind of report may have.
template <class Report>
struct Part {
  std::string_view name;  // as --part takes it
  DocumentTable (*table)(const Report& report);
  bool (*is_there)(const Report& report) = nullptr;  // null: always
  bool is_first = false;  // of the document: it holds the points. Else as they are declared.
};

template <class Parts>
std::vector<std::string> names_of(const Parts& parts) {
  std::vector<std::string> names;
  for (const auto& part : parts) names.emplace_back(part.name);
  return names;
}

template <class Parts, class Report>
std::vector<DocumentTable> tables_of(const Parts& parts, const Report& report) {
  std::vector<DocumentTable> tables;
  for (const auto& part : parts) {
    if (part.is_there != nullptr && !part.is_there(report)) continue;
    auto at = tables.insert(part.is_first ? tables.begin() : tables.end(), part.table(report));
    at->name = part.name;
  }
  return tables;
}

// A document as people read it.

// `part`: that table alone; empty: all but those that are only shown on request, which are named.
std::string document_text(const Document& document, std::string_view part,
                          std::optional<std::size_t> width);
std::string document_markdown(const Document& document, std::string_view part);

}  // namespace tutti::reports
