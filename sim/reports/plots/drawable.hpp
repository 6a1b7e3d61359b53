// SPDX-License-Identifier: BSD-3-Clause
// Which of several plots of a table can be drawn.
#pragma once

#include <vector>

#include "sim/base/cell.hpp"
#include "sim/reports/plots/plot_wish.hpp"

namespace tutti::reports {

// The first one of these plots that `points` has one value for at each place, in not too many
// panels and curves; where there is none, the first of all, whose error says what is in the way.
// There is at least one.
PlotWords first_drawable(const Table& points, const std::vector<PlotWords>& plots);

}  // namespace tutti::reports
