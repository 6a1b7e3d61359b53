// SPDX-License-Identifier: BSD-3-Clause
// Arranges panels in a grid whose rows and columns have headings.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/grid.hpp"

namespace tutti::reports {

struct FacetGrid {
  std::vector<std::string> row_names;  // "64 processes, 4 per node"
  std::vector<std::string> column_names;
  std::vector<std::optional<std::size_t>> facets;  // row by row; unset: no point has these values
};

// Numeric columns (for example the number of processes) become rows, and columns of names (for
// example the collective) become columns. If all are of one kind, one of them moves to the other
// side: of numbers the processes per node, of names the platform, else the last one. Returns
// nothing if there is only one facet column, if most places of the grid would be empty, or if there
// are more than `most_grid_panels`.
std::optional<FacetGrid> facet_grid(const Grid& grid);

}  // namespace tutti::reports
