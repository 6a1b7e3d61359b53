// SPDX-License-Identifier: BSD-3-Clause
// A report of several tables with a common head, as written by `sim validate` and other commands.
// The first table contains the points, for `sim plot`, `sim compare` and programs; the others
// summarize them.
#pragma once

#include <iterator>
#include <type_traits>

#include "sim/base/common.hpp"
#include "sim/reports/plots/plot_spec.hpp"
#include "sim/reports/report.hpp"
#include "sim/reports/tables/shown.hpp"

namespace tutti::reports {

struct DocumentTable {
  std::string name = {};                // one word, the value of --part: "points", "summary"
  std::string title = {};               // a sentence
  Table table = {};                     // all columns, in SI units
  std::vector<ShownColumn> shown = {};  // columns in text and Markdown; empty: all, plain
  // Rows with the same value of this column are a group: a blank line separates groups. If the
  // column is not shown, its value is printed above the group.
  std::string group_by = {};
  std::vector<std::string> notes = {};  // below the table
  std::string all_columns = {};         // options that print all columns; empty: --part, --format
  bool only_on_request = false;         // shown in text and Markdown only with --part
  // Unit of the shown columns, appended to the title: "in ms". Other formats have SI units.
  std::string shown_unit = {};
  std::size_t most_shown = 0;  // rows in text and Markdown without --part; 0: all
  // For a listing: JSON has an object instead of an array, with a member for each row, named by the
  // row's first column.
  bool is_keyed = false;
  bool omits_empty = false;  // for a listing: JSON omits members without a value
};

// A line of a listing's head.
struct Fact {
  std::string name = {};  // in JSON; empty: only in text and Markdown
  Cell value = {};
  std::string label = {};  // printed before `text`
  std::string text = {};   // empty: only in JSON
};

// A document has a platform in its provenance only if it applies to one. A document without
// provenance is a listing, as printed by `sim list` and `sim platform`:
// - Its text has no comment signs.
// - Its JSON has a member for each fact, and for each table a member with its rows.
// - Names of facts and columns may be paths ("diameter.links"). Objects without values are null.
// - If a name ends in [], its member is a list of the words in the value (separated by spaces).
// - Rows of a single column are written as plain values.
// - A fact with the name of a table and without a value sets the table's place among the members.
struct Document : ReportHead {
  std::string schema = {};              // "sim.validate.models/1"
  std::vector<std::string> about = {};  // sentences; the first is the title
  std::vector<DocumentTable> tables = {};
  std::vector<PlotWords> plots = {};  // plots of the first table that `sim report` draws
  std::vector<Fact> facts = {};       // for a listing

  bool is_listing() const { return provenance.version.empty(); }
  // Adds a fact to JSON (`know`) or to text and Markdown (`add_fact`), the place of a table to
  // JSON, or a blank line to text.
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

// The columns that text, Markdown and pages show, from left to right; paragraphs below rows come
// last.
std::vector<ShownColumn> shown_columns(const DocumentTable& table);

// The names of tables.
std::vector<std::string> parts_of(const std::vector<DocumentTable>& tables);

// `part`: name of the only table to write; empty: all tables (csv and jsonl: the first). Formats
// are text, csv, json, jsonl and md, not osu. Ends with a newline.
std::string render_document(const Document& document, Format format, std::string_view part = {},
                            std::optional<std::size_t> width = {});

// If `not_run` is not 0, adds "INCOMPLETE: 3 calls were not run because the check was stopped".
void add_not_run(Document& document, std::size_t not_run, std::string_view what,
                 std::string_view study);

// The columns of a table. Each is declared once: its name in data formats, the source of its cells,
// and, if text and Markdown show it, how.

// The cell of a row. `get` is a member of the row or a function of it. Rows may be pointers.
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

// For a column that text and Markdown show only under a condition.
inline std::optional<ShownAs> shown_if(bool condition, ShownAs shown) {
  return condition ? std::optional(std::move(shown)) : std::nullopt;
}

// Builds a table from rows of any type. Takes ownership of a temporary container of rows; any other
// container must outlive this object.
template <class Rows>
class TableOf {
 public:
  // `head`: a table without columns and rows; `tables_of` sets its name to that of its part.
  explicit TableOf(Rows&& rows, DocumentTable head = {})
      : rows_(std::forward<Rows>(rows)), made_(std::move(head)) {
    made_.table.rows.resize(std::size(rows_));
  }

  // Adds a column that text and Markdown do not show.
  template <class Get>
  void add(std::string name, const Get& get) {
    auto row = made_.table.rows.begin();
    for (const auto& row_data : rows_) (row++)->push_back(cell_from(row_data, get));
    made_.table.columns.push_back(std::move(name));
  }
  // Adds a column that all formats show.
  template <class Get>
  void add(std::string name, ShownAs shown, const Get& get) {
    made_.shown.push_back({name, std::move(shown)});
    add(std::move(name), get);
  }
  // Adds a column that text and Markdown show if `shown` is set.
  template <class Get>
  void add(std::string name, std::optional<ShownAs> shown, const Get& get) {
    if (shown)
      add(std::move(name), *std::move(shown), get);
    else
      add(std::move(name), get);
  }
  // Adds a column that groups the rows: see DocumentTable::group_by.
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

// The tables of a document, declared once, for --part and for the document.

// A table that documents of one kind of report may have.
template <class Report>
struct Part {
  std::string_view name;  // the value of --part
  DocumentTable (*table)(const Report& report);
  bool (*is_there)(const Report& report) = nullptr;  // null: always
  bool is_first = false;  // the table of the points comes first; others in order of declaration
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

// A document in text and Markdown.

// `part`: name of the only table to print; empty: all tables except those shown only on request,
// which are listed below.
std::string document_text(const Document& document, std::string_view part,
                          std::optional<std::size_t> width);
std::string document_markdown(const Document& document, std::string_view part);

}  // namespace tutti::reports
