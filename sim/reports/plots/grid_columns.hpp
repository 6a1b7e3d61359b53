// SPDX-License-Identifier: BSD-3-Clause
// Chooses which columns of a table are the x axis, the series and the facets.
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
  std::vector<std::size_t> varying;  // columns that describe a point and vary
};

// The rows of a table that have a value.
using GridRows = std::vector<const std::vector<Cell>*>;

// The index of the column with this name, or an error of kind usage at `option`.
Result<std::size_t> column_named(const Table& table, const std::string& name,
                                 const std::string& option);

// Applies the request, and chooses the columns that it does not name (see `grid_of`).
Result<GridColumns> choose_columns(const Table& table, const GridRows& rows,
                                   const PlotRequest& request);

}  // namespace tutti::reports
