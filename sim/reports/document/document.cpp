// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/document/document.hpp"

#include <fmt/format.h>

#include "sim/base/check.hpp"
#include "sim/engines/version.hpp"
#include "sim/reports/cell_json.hpp"
#include "sim/reports/csv.hpp"
#include "sim/reports/document/document_text.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/head_json.hpp"
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

}  // namespace tutti::reports
