// SPDX-License-Identifier: BSD-3-Clause
// Straight lines through measured points, by least squares.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace tutti::studies {

struct DataPoint {
  double x = 0;
  double y = 0;
};

struct StraightLine {
  double at_0 = 0;
  double slope = 0;
  std::size_t points = 0;  // that lie on it

  double operator()(double x) const { return at_0 + slope * x; }
};

// Through all points, whose x are not all the same.
StraightLine least_squares(std::span<const DataPoint> points);

// Through the last points, as many of them as lie on one line; x ascends. The deviation that is
// borne (relative) is as small as three points allow, and 1e-3 at most: simulated times are exact,
// but flows that share a link bend their curves. Nothing where there are no three such points.
std::optional<StraightLine> line_at_end(std::span<const DataPoint> points);

}  // namespace tutti::studies
