// SPDX-License-Identifier: BSD-3-Clause
#include <toml++/toml.h>

#include <algorithm>

#include "sim/base/check.hpp"
#include "sim/studies/papers/printed_tables.hpp"
#include "sim/studies/papers/printed_texts.hpp"

namespace tutti::studies::papers {
namespace {

Cell cell_of(const toml::node& node) {
  if (const auto integer = node.value_exact<std::int64_t>()) return *integer;
  if (const auto number = node.value_exact<double>()) return *number;
  if (const auto text = node.value_exact<std::string>()) return *text;
  TUTTI_CHECK(node.is_array(), "a value of a printed table");
  std::string joined;
  for (const auto& each : *node.as_array())
    joined += (joined.empty() ? "" : " + ") + each.value_exact<std::string>().value_or("?");
  return joined;
}

void add_row(const toml::table& from, Table& table) {
  auto& row = table.rows.emplace_back(table.columns.size());
  for (const auto& [key, value] : from) {
    const std::string column(key.str());
    const auto found = std::ranges::find(table.columns, column);
    const auto at = static_cast<std::size_t>(found - table.columns.begin());
    if (found == table.columns.end()) {
      table.columns.push_back(column);
      row.emplace_back();
    }
    row[at] = cell_of(value);
  }
}

}  // namespace

Table printed_toml(std::string_view name, std::string_view key) {
  const toml::table root = toml::parse(printed_text(name));
  const auto* rows = root[key].as_array();
  TUTTI_CHECK(rows != nullptr, "no rows of " + std::string(name));
  Table table;
  for (const auto& row : *rows) add_row(*row.as_table(), table);
  for (auto& row : table.rows) row.resize(table.columns.size());
  return table;
}

}  // namespace tutti::studies::papers
