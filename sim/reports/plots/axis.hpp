// SPDX-License-Identifier: BSD-3-Clause
// Axes of pictures. Vega chooses the marks of an axis and writes their values with units.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/tables/columns.hpp"

namespace tutti::reports {

struct Tick {
  double at = 0;
  std::string label = {};  // empty: a mark without a label
};

struct Axis {
  std::string label = {};                // without the unit
  Quantity quantity = Quantity::number;  // of the values
  bool is_ratio = false;                 // values have labels such as "0.5x"
  bool log = false;
  bool is_binary = false;  // marks of a log scale are powers of two, else of ten
  double low = 0;          // greater than 0 if `log`
  double high = 1;
  std::vector<Tick> ticks = {};  // empty: Vega chooses round numbers
};

// An axis of sizes or ratios is binary. Requires `low` < `high`, and `low` > 0 if `log`.
Axis value_axis(Quantity quantity, const std::string& label, bool log, double low, double high);

// Log scale for ratios. Requires 0 < `low` < `high`.
Axis ratio_axis(const std::string& label, double low, double high);

// An axis from the first to the last of the sorted values of a column. It has a tick at each value
// if these are few, or if their distances on the axis are equal; Vega omits labels that overlap.
Axis point_axis(const std::string& column, const std::vector<Cell>& xs, bool log);
// Categories are at 1, 2, 3, ...
Axis category_axis(const std::string& column, const std::vector<Cell>& xs);

}  // namespace tutti::reports
