// SPDX-License-Identifier: BSD-3-Clause
// A cell as JSON: no value is null.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/base/cell.hpp"

namespace tutti::reports {

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

}  // namespace tutti::reports
