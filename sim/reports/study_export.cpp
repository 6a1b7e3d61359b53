// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/study_export.hpp"

#include "sim/reports/cell_json.hpp"
#include "sim/reports/formats.hpp"

namespace tutti::reports {
namespace {

using Json = nlohmann::ordered_json;

// Without the line's end.
std::string text_of(const Json& json) {
  std::string text = dumped(json);
  text.pop_back();
  return text;
}

Json head_of(const std::vector<store::StoredStudy>& studies) {
  Json list = Json::array();
  for (const auto& study : studies)
    list.push_back({{"name", study.name}, {"description", study.description}});
  return {{"schema", "sim.study/1"}, {"studies", list}};
}

std::string line_of(const Table& table, const std::vector<Cell>& row) {
  return text_of(row_json(table, row));
}

// A line for each point, so that no tree of all of them is made.
std::string json_of(const Table& table, const std::vector<store::StoredStudy>& studies) {
  std::string text = text_of(head_of(studies));
  text.back() = ',';  // goes on
  text += "\n\"points\":[";
  for (const auto& row : table.rows)
    text += (&row == table.rows.data() ? "\n" : ",\n") + line_of(table, row);
  return text + "\n]}\n";
}

std::string jsonl_of(const Table& table, const std::vector<store::StoredStudy>& studies) {
  std::string text = dumped(head_of(studies));
  for (const auto& row : table.rows) text += dumped(row_json(table, row));
  return text;
}

}  // namespace

std::string render_study(const Table& table, const std::vector<store::StoredStudy>& studies,
                         Format format) {
  if (format == Format::json) return json_of(table, studies);
  if (format == Format::jsonl) return jsonl_of(table, studies);
  TUTTI_CHECK(format == Format::csv, "no format of a study");
  return csv_table(table);
}

}  // namespace tutti::reports
