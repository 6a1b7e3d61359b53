// SPDX-License-Identifier: BSD-3-Clause
// Which columns of a table are drawn as what.
#pragma once

#include <vector>

#include "sim/reports/plots/grid.hpp"

namespace tutti::reports {

// By index into the table's columns.
struct GridColumns {
  std::size_t x = 0;
  std::size_t y = 0;
  std::vector<std::size_t> series;
  std::vector<std::size_t> facet;
  std::vector<std::size_t> varying;  // of the columns that describe a point
};

using Rows = std::vector<const std::vector<Cell>*>;

// `rows` are those with a value.
Result<GridColumns> choose_columns(const Table& table, const Rows& rows,
                                   const PlotRequest& request);

// The column of the name; `option` asks for it.
Result<std::size_t> column_named(const Table& table, const std::string& name,
                                 const std::string& option);

}  // namespace tutti::reports
