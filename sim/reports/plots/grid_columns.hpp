// SPDX-License-Identifier: BSD-3-Clause
// Which columns of a table are drawn as what.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/grid.hpp"

namespace tutti::reports {

// Indices of the table's columns.
struct GridColumns {
  std::size_t x = 0;
  std::size_t y = 0;
  std::optional<std::size_t> marks;  // PlotRequest::marks
  std::vector<std::size_t> series;
  std::vector<std::size_t> facet;
  std::vector<std::size_t> varying;  // of the columns that describe a point
};

// Rows of a table that have a value.
using GridRows = std::vector<const std::vector<Cell>*>;

// The column of that name; without one an error of kind usage at `option`.
Result<std::size_t> column_named(const Table& table, const std::string& name,
                                 const std::string& option);

Result<GridColumns> choose_columns(const Table& table, const GridRows& rows,
                                   const PlotRequest& request);

}  // namespace tutti::reports
