// SPDX-License-Identifier: BSD-3-Clause
// JSON of cells, rows and the head of reports. An empty cell is null.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/base/common.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {

using Json = nlohmann::ordered_json;

// The head of every report; without a platform if the provenance is without one.
Json head_json(const ReportHead& report, std::string_view schema = "sim.result/1");
// The head and a member `points`.
Json points_json(const ReportHead& head, const Table& points);
// The JSON indented by `indent` spaces, or on one line if -1, with a newline at the end. Bytes that
// are not UTF-8 (file names) are replaced.
std::string dumped(const Json& json, int indent = -1);

inline Json cell_json(const Cell& cell) {
  const auto json_of = []<class Value>(const Value& value) -> Json {
    if constexpr (std::is_same_v<Value, std::monostate>)
      return nullptr;
    else
      return value;
  };
  return std::visit(json_of, cell);
}

// A row as an object, a member for each column.
inline Json row_json(const Table& table, const std::vector<Cell>& row) {
  auto object = Json::object();
  for (std::size_t i = 0; i < row.size(); ++i) object[table.columns[i]] = cell_json(row[i]);
  return object;
}

inline Json rows_json(const Table& table) {
  auto rows = Json::array();
  for (const auto& row : table.rows) rows.push_back(row_json(table, row));
  return rows;
}

}  // namespace tutti::reports
