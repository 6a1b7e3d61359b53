// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/document/document.hpp"

#include "sim/engines/engine.hpp"
#include "sim/reports/cell_json.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/sidecar.hpp"
#include "sim/reports/text_table.hpp"
#include "sim/reports/version.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

// A shown column without a head is a paragraph below its row.
Json shown_json(const DocumentTable& table) {
  Json columns = Json::array();
  for (const auto& [column, as] : shown_columns(table))
    columns.push_back({{"column", column}, {"head", as.head}, {"as", shown_name(as.how)}});
  return columns;
}

void add_shown(const DocumentTable& table, Json& json) {
  if (table.shown.empty()) return;
  json["shown"] = shown_json(table);
  if (!table.group_by.empty()) json["group_by"] = table.group_by;
}

Json table_json(const DocumentTable& table) {
  Json json = {{"name", table.name}, {"title", table.title}, {"columns", table.table.columns}};
  add_shown(table, json);
  json["rows"] = rows_json(table.table);
  json["notes"] = table.notes;
  return json;
}

using Tables = std::vector<DocumentTable>;

// Without a part: the first table, or an empty one if there is none.
const DocumentTable& part_of(const Tables& tables, std::string_view part) {
  static const DocumentTable none;
  if (part.empty() && tables.empty()) return none;
  for (const auto& table : tables)
    if (table.name == part) return table;
  TUTTI_CHECK(part.empty(), "a part that is not there");
  return tables.front();
}

Json* place_of(Json& object, std::string_view path) {
  Json* place = &object;
  for (const auto& name : split(path, '.')) place = &(*place)[std::string(name)];
  return place;
}

void add_member(Json& object, std::string_view path, const Cell& cell) {
  const bool is_list = path.ends_with("[]");
  if (is_list) path.remove_suffix(2);
  Json* member = place_of(object, path);
  *member = is_list && cell != Cell() ? Json::array() : cell_json(cell);
  if (!is_list) return;
  const std::string words = to_text(cell);
  for (const auto& word : split(words, ' '))
    if (!word.empty()) member->push_back(word);
}

// Replaces objects without any value by null.
void drop_empty_objects(Json& all) {
  for (auto& member : all) {
    if (!member.is_object()) continue;
    drop_empty_objects(member);
    if (std::ranges::all_of(member, &Json::is_null)) member = nullptr;
  }
}

// An object with the cells from column `first` on.
Json listed_row(const DocumentTable& table, const std::vector<Cell>& row, std::size_t first) {
  Json object = Json::object();
  for (std::size_t i = first; i < row.size(); ++i)
    if (!table.omits_empty || row[i] != Cell()) add_member(object, table.table.columns[i], row[i]);
  drop_empty_objects(object);
  return object;
}

Json listed_rows(const DocumentTable& table) {
  Json rows = table.is_keyed ? Json::object() : Json::array();
  const std::size_t first = table.is_keyed ? 1 : 0;
  for (const auto& row : table.table.rows)
    (table.is_keyed ? rows[to_text(row.front())] : rows.emplace_back()) =
        row.size() == first + 1 ? cell_json(row.back()) : listed_row(table, row, first);
  return rows;
}

std::string listing_json(const Document& listing, std::string_view part) {
  Json all{{"schema", listing.schema}};
  for (const auto& fact : listing.facts)
    if (!fact.name.empty()) add_member(all, fact.name, fact.value);
  drop_empty_objects(all);
  for (const auto& table : listing.tables)
    if (part.empty() || table.name == part) *place_of(all, table.name) = listed_rows(table);
  return dumped(all, 2);
}

// The first table is `points`, as in all reports of results, so the same readers read it.
std::string json_of(const Document& document, std::string_view part) {
  if (document.is_listing()) return listing_json(document, part);
  Json all = head_json(document, document.schema);
  all["about"] = document.about;
  const DocumentTable& main = part_of(document.tables, part);
  all["points"] = rows_json(main.table);
  if (!part.empty()) return dumped(all, 2);
  add_shown(main, all);
  all["notes"] = main.notes;
  all["tables"] = Json::array();
  for (const auto& table : document.tables)
    if (&table != &main) all["tables"].push_back(table_json(table));
  if (!document.plots.empty()) all["plots"] = Json::array();
  for (const auto& words : document.plots) {
    Json& plot = all["plots"].emplace_back(Json::object());
    for (const auto& [name, value] : words) plot[name] = value;
  }
  return dumped(all, 2);
}

std::string jsonl_of(const Document& document, std::string_view part) {
  const DocumentTable& table = part_of(document.tables, part);
  std::string lines;
  if (!document.is_listing()) lines = dumped(head_json(document, document.schema));
  for (const auto& row : table.table.rows)
    lines += dumped(document.is_listing() ? listed_row(table, row, 0) : row_json(table.table, row));
  return lines;
}

std::string csv_of(const Document& document, std::string_view part) {
  const DocumentTable& table = part_of(document.tables, part);
  const bool has_points = &table == document.tables.data();
  return csv_table(has_points ? with_platform(document, table.table) : table.table);
}

// True for a listing that has no table by default.
bool has_facts_alone(const Document& document) {
  return document.is_listing() &&
         (document.tables.empty() || document.tables.front().only_on_request);
}

DocumentTable facts_table(const Document& document) {
  std::vector<Fact> known = document.facts;
  std::erase_if(known, [](const Fact& fact) { return fact.value == Cell(); });
  TableOf table(known, {.name = "facts"});
  table.add("name", &Fact::name);
  table.add("value", &Fact::value);
  return table.take();
}

}  // namespace

std::vector<ShownColumn> shown_columns(const DocumentTable& table) {
  std::vector<ShownColumn> shown = table.shown;
  if (shown.empty())
    for (const auto& column : table.table.columns) shown.push_back({column, {.head = column}});
  std::ranges::stable_sort(shown, {}, [](const ShownColumn& column) {
    return std::pair(column.as.how == Shown::below, column.as.place);
  });
  return shown;
}

std::vector<std::string> parts_of(const std::vector<DocumentTable>& tables) {
  std::vector<std::string> names;
  for (const auto& table : tables) names.push_back(table.name);
  return names;
}

std::string render_document(const Document& document, Format format, std::string_view part,
                            std::optional<std::size_t> width) {
  const bool is_table = format == Format::csv || format == Format::jsonl;
  if (is_table && part.empty() && has_facts_alone(document))
    return render_document(listing_of(document.schema, {facts_table(document)}), format);
  TUTTI_CHECK(!is_of_benchmark(format), "a document has no format of a benchmark");
  if (format == Format::text) return document_text(document, part, width);
  if (format == Format::md) return document_markdown(document, part);
  if (format == Format::csv) return csv_of(document, part);
  return format == Format::json ? json_of(document, part) : jsonl_of(document, part);
}

Document listing_of(std::string schema, std::vector<DocumentTable> tables,
                    std::vector<std::string> about) {
  Document listing;
  listing.about = std::move(about);
  listing.schema = std::move(schema);
  listing.tables = std::move(tables);
  return listing;
}

void add_not_run(Document& document, std::size_t not_run, std::string_view what,
                 std::string_view study) {
  if (not_run > 0)
    document.failed.push_back(fmt::format(
        "INCOMPLETE: {} {} were not run because the {} was stopped", not_run, what, study));
}

}  // namespace tutti::reports
