// SPDX-License-Identifier: BSD-3-Clause
// A cell as JSON: no value is null.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/base/common.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {

// What the JSON of reports has in common.

// What every report begins with; without a platform if the report has none.
nlohmann::ordered_json head_json(const ReportHead& report,
                                 std::string_view schema = "sim.result/1");
// The head and a member `points`.
nlohmann::ordered_json points_json(const ReportHead& head, const Table& points);
// On lines indented by so much, or on one. File names may be any bytes; this is UTF-8.
std::string dumped(const nlohmann::ordered_json& json, int indent = -1);

inline nlohmann::ordered_json cell_json(const Cell& cell) {
  struct {
    using Json = nlohmann::ordered_json;
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(bool value) const { return value; }
    Json operator()(std::int64_t number) const { return number; }
    Json operator()(double number) const { return number; }
    Json operator()(const std::string& text) const { return text; }
  } visitor;
  return std::visit(visitor, cell);
}

// A row as an object, a member for each column.
inline nlohmann::ordered_json row_json(const Table& table, const std::vector<Cell>& row) {
  auto object = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < row.size(); ++i) object[table.columns[i]] = cell_json(row[i]);
  return object;
}

inline nlohmann::ordered_json rows_json(const Table& table) {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) rows.push_back(row_json(table, row));
  return rows;
}

}  // namespace tutti::reports
