// SPDX-License-Identifier: BSD-3-Clause
// Tick marks of axes and their labels. Sizes have binary units; times have a suitable unit.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/tables/columns.hpp"

namespace tutti::reports {

struct Tick {
  double at = 0;
  std::string label;  // empty: a mark without a label
};

struct Axis {
  std::string label;  // includes the unit if tick labels do not
  bool log = false;
  bool is_ratio = false;  // log2 scale: marks are powers of two
  bool marks_at_points = false;
  bool is_category = false;
  Quantity quantity = Quantity::number;  // of the values
  double low = 0;
  double high = 1;
  std::vector<Tick> ticks;
};

// Marks are round numbers: multiples of 1, 2 or 5 on a linear axis; powers of ten on a log scale,
// also 2 and 5 times these on less than two decades; powers of two for bytes. Requires `low` <
// `high`, and `low` > 0 if `log`.
Axis value_axis(Quantity quantity, const std::string& words, bool log, double low, double high);

// Log scale for ratios, labeled "0.5x", "1x", "2x". Requires 0 < `low` < `high`.
Axis ratio_axis(const std::string& words, double low, double high);

// At most `room` labels fit side by side. Has a mark at each point if all their labels fit, or if
// their distances on the axis are equal; else at round numbers as `value_axis`.
Axis point_axis(const std::string& column, const std::vector<Cell>& xs, bool log, std::size_t room);
// Categories are at 1, 2, 3, ...
Axis category_axis(const std::string& column, const std::vector<Cell>& xs);

}  // namespace tutti::reports
