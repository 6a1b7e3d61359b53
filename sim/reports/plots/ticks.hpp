// SPDX-License-Identifier: BSD-3-Clause
// Where an axis has marks, and what they say: sizes in binary units, times with fitting ones.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/tables/columns.hpp"

namespace tutti::reports {

struct Tick {
  double at = 0;
  std::string label;  // empty: a mark only
};

struct Axis {
  std::string label;  // with the unit, where the marks lack it
  bool log = false;
  bool is_ratio = false;  // values are multiples of 1: marks are powers of two
  double low = 0;
  double high = 1;
  std::vector<Tick> ticks;
};

// Round numbers: 1, 2, 5, and, of an axis of powers, 1, 10, 100; powers of two of bytes. `low` <
// `high`, above 0 where `log`. An axis of less than two decades gets 1, 2 and 5 of each.
Axis value_axis(Quantity quantity, const std::string& words, bool log, double low, double high);

// Of ratios, 0 < `low` < `high`: "0.5x", "1x", "2x" on a log scale.
Axis ratio_axis(const std::string& words, double low, double high);

// Marks where the points are, as many as have room: `room` labels side by side.
Axis point_axis(const std::string& column, const std::vector<Cell>& xs, bool log, std::size_t room);
// Texts: at 1, 2, 3, ...
Axis category_axis(const std::string& column, const std::vector<Cell>& xs);

}  // namespace tutti::reports
