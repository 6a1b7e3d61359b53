// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/tables/row_order.hpp"

#include <numeric>

#include "sim/reports/tables/columns.hpp"

namespace tutti::reports {

bool varies(const Table& table, std::size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
    return !cells_equal(row[column], table.rows.front()[column]);
  });
}

std::vector<std::size_t> in_order(const Table& table) {
  std::vector<std::size_t> by;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (role_of(table.columns[i]) == Role::parameter && varies(table, i)) by.push_back(i);
  std::vector<std::size_t> order(table.rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    for (const std::size_t column : by) {
      const auto& name = table.columns[column];
      const auto& [left, right] = std::tie(table.rows[a][column], table.rows[b][column]);
      if (cell_less(name, left, right)) return true;
      if (cell_less(name, right, left)) return false;
    }
    return false;
  });
  return order;
}

}  // namespace tutti::reports
