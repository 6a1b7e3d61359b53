// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/document/document.hpp"

#include "sim/engines/engine.hpp"
#include "sim/reports/cell_json.hpp"
#include "sim/reports/csv.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/people_table.hpp"
#include "sim/reports/version.hpp"

namespace tutti::reports {
namespace {

using Json = nlohmann::ordered_json;

Json rows_json(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) rows.push_back(row_json(table, row));
  return rows;
}

Json table_json(const DocumentTable& table) {
  return {{"name", table.name},
          {"title", table.title},
          {"columns", table.table.columns},
          {"rows", rows_json(table.table)},
          {"notes", table.notes}};
}

Json plot_json(const PlotWords& words) {
  Json plot = Json::object();
  for (const auto& [name, value] : words) plot[name] = value;
  return plot;
}

const DocumentTable& part_of(const Document& document, std::string_view part) {
  for (const auto& table : document.tables)
    if (table.name == part) return table;
  TUTTI_CHECK(part.empty() && !document.tables.empty(), "a part that is not there");
  return document.tables.front();
}

// `points` as in all reports of results, so that what reads these reads the first table.
std::string json_of(const Document& document, std::string_view part) {
  Json all = head_json(document, document.schema);
  all["about"] = document.about;
  const DocumentTable& main = part_of(document, part);
  all["points"] = rows_json(main.table);
  if (!part.empty()) return dumped(all, 2);
  all["notes"] = main.notes;
  all["tables"] = Json::array();
  for (const auto& table : document.tables)
    if (&table != &main) all["tables"].push_back(table_json(table));
  if (!document.plots.empty()) all["plots"] = Json::array();
  for (const auto& words : document.plots) all["plots"].push_back(plot_json(words));
  return dumped(all, 2);
}

std::string jsonl_of(const Document& document, std::string_view part) {
  const Table& table = part_of(document, part).table;
  std::string lines = dumped(head_json(document, document.schema));
  for (const auto& row : table.rows) lines += dumped(row_json(table, row));
  return lines;
}

}  // namespace

std::vector<std::string> parts_of(const Document& document) {
  std::vector<std::string> names;
  for (const auto& table : document.tables) names.push_back(table.name);
  return names;
}

std::string render_document(const Document& document, Format format, std::string_view part,
                            std::optional<std::size_t> width) {
  switch (format) {
    case Format::text:
      return document_text(document, part, width);
    case Format::md:
      return document_markdown(document, part);
    case Format::csv:
      return comments(document) + csv_table(part_of(document, part).table);
    case Format::json:
      return json_of(document, part);
    case Format::jsonl:
      return jsonl_of(document, part);
    case Format::osu:
      break;
  }
  TUTTI_CHECK(false, "a document has no OSU format");
  return {};
}

void add_not_run(Document& document, std::size_t not_run, std::string_view what,
                 std::string_view study) {
  if (not_run > 0)
    document.failed.push_back(
        fmt::format("INCOMPLETE: {} {} were not run, the {} was stopped", not_run, what, study));
}

Provenance plain_provenance(const std::string& command) {
  return {.version = version(),
          .commit = commit(),
          .simgrid_version = engines::simgrid_version(),
          .command = command,
          .platform_name = {},
          .platform_file = {},
          .from_catalog = false,
          .platform_hash = {},
          .size = {},
          .overrides = {}};
}

namespace {

constexpr const char* no_value = "-";

std::string number_text(Shown how, double value) {
  switch (how) {
    case Shown::decimals:
      return fmt::format("{:.2f}", value);
    case Shown::fine:
      return fmt::format("{:.5f}", value);
    case Shown::significant:
      return fmt::format("{:.4g}", value);
    case Shown::us:
      return fmt::format("{:.2f}", value * 1e6);
    case Shown::ms:
      // Not "1.248e+04".
      return std::abs(value) < 9.9995 ? fmt::format("{:.4g}", value * 1e3)
                                      : fmt::format("{:.0f}", value * 1e3);
    case Shown::bytes:
      return format_bytes(static_cast<Bytes>(value));
    case Shown::percent:
      return fmt::format("{:.1f}", std::abs(value) < 0.0005 ? 0 : value * 100);
    case Shown::signed_percent:
      // Not "-0.0".
      return fmt::format("{:+.1f}", std::abs(value) < 0.0005 ? 0 : value * 100);
    case Shown::plain:
    case Shown::name:
      break;
  }
  return fmt::format("{:.10g}", value);
}

std::string cell_text(Shown how, const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return no_value;
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "yes" : "no";
  if (const auto* text = std::get_if<std::string>(&cell)) return printable(*text);
  return number_text(how, *tutti::number_of(cell));
}

std::size_t index_of(const Table& table, const std::string& column) {
  const auto found = std::ranges::find(table.columns, column);
  TUTTI_CHECK(found != table.columns.end(), "no column " + column);
  return static_cast<std::size_t>(found - table.columns.begin());
}

PeopleColumn column_of(const Table& table, const ShownColumn& shown) {
  const std::size_t at = index_of(table, shown.column);
  PeopleColumn made{.head = shown.as.head,
                    .cells = {},
                    .spare = shown.as.spare,
                    .may_shorten = shown.as.how == Shown::name};
  for (const auto& row : table.rows) {
    made.cells.push_back(cell_text(shown.as.how, row[at]));
    made.left |= std::holds_alternative<std::string>(row[at]);
  }
  return made;
}

std::vector<ShownColumn> shown_of(const DocumentTable& table) {
  std::vector<ShownColumn> shown = table.shown;
  if (shown.empty())
    for (const auto& column : table.table.columns) shown.push_back({column, {.head = column}});
  std::ranges::stable_sort(shown, {}, [](const ShownColumn& each) { return each.as.place; });
  return shown;
}

void add_groups(const DocumentTable& table, const std::vector<ShownColumn>& shown,
                PeopleTable& people) {
  const auto& rows = table.table.rows;
  people.starts_group.assign(rows.size(), false);
  if (table.group_by.empty()) return;
  const std::size_t at = index_of(table.table, table.group_by);
  const bool has_titles =
      std::ranges::find(shown, table.group_by, &ShownColumn::column) == shown.end();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    people.starts_group[row] = row == 0 ? has_titles : rows[row][at] != rows[row - 1][at];
    if (has_titles) people.group_titles.push_back(cell_text(Shown::plain, rows[row][at]));
  }
}

PeopleTable people_table(const DocumentTable& table) {
  PeopleTable made;
  const auto shown = shown_of(table);
  if (!table.table.rows.empty())
    for (const auto& each : shown) made.columns.push_back(column_of(table.table, each));
  add_groups(table, shown, made);
  made.all_columns = fmt::format("--part {} --format csv", table.name);
  made.notes = table.notes;
  return made;
}

std::string title_of(const DocumentTable& table) {
  return table.shown_unit.empty() ? table.title : table.title + ", " + table.shown_unit;
}

struct Parts {
  std::vector<const DocumentTable*> shown;
  std::vector<std::string> notes;  // what is not shown
};

Parts parts_to_show(const Document& document, std::string_view part) {
  Parts parts;
  for (const auto& table : document.tables) {
    if (part.empty() ? !table.only_on_request : table.name == part)
      parts.shown.push_back(&table);
    else if (const auto rows = table.table.rows.size(); part.empty() && rows > 0)
      parts.notes.push_back(
          fmt::format("--part {}: {} ({})", table.name, table.title, counted(rows, "row")));
  }
  return parts;
}

}  // namespace

std::string document_text(const Document& document, std::string_view part,
                          std::optional<std::size_t> width) {
  std::string text = comment_lines(document.about) + comment_lines(provenance_lines(document));
  const Parts parts = parts_to_show(document, part);
  for (const auto* table : parts.shown) {
    text += "#\n" + comment_lines({title_of(*table) + (table->table.rows.empty() ? ": none" : "")});
    const PeopleTable people = people_table(*table);
    text += people.columns.empty() ? comment_lines(people.notes) : table_text(people, width);
  }
  if (!parts.notes.empty()) text += "#\n" + comment_lines(parts.notes);
  return text;
}

std::string document_markdown(const Document& document, std::string_view part) {
  std::string text = markdown_list(document.about) + markdown_list(provenance_lines(document));
  for (const auto* table : parts_to_show(document, part).shown) {
    text += fmt::format("\n## {}\n", title_of(*table));
    if (!table->table.rows.empty()) text += markdown_table(people_table(*table));
  }
  return text;
}

}  // namespace tutti::reports
