// SPDX-License-Identifier: BSD-3-Clause
// Panels as a grid with values for rows and columns.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/grid.hpp"

namespace tutti::reports {

struct FacetGrid {
  std::vector<std::string> row_names;  // "64 processes, 4 per node"
  std::vector<std::string> column_names;
  std::vector<std::optional<std::size_t>> facets;  // row by row; none: no point has these values
};

// Numbers, as of processes, are rows, and names, as of collectives, are columns; where all are of
// one kind, the first ones (of numbers all but the processes per node) are rows. Nothing where one
// column makes the facets, where most places of the grid are empty, and where there are too many.
std::optional<FacetGrid> facet_grid(const Grid& grid);

}  // namespace tutti::reports
