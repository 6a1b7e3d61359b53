// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/straight_line.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::studies {
namespace {

constexpr std::size_t least_points = 3;

bool fits(const StraightLine& line, std::span<const DataPoint> points, double tolerance) {
  return std::ranges::all_of(points, [&](const DataPoint& point) {
    return std::abs(line(point.x) - point.y) <= tolerance * std::abs(point.y);
  });
}

}  // namespace

StraightLine least_squares(std::span<const DataPoint> points) {
  const auto count = static_cast<double>(points.size());
  double mean_x = 0;
  double mean_y = 0;
  for (const auto& [x, y] : points) {
    mean_x += x / count;
    mean_y += y / count;
  }
  double xx = 0;
  double xy = 0;
  for (const auto& [x, y] : points) {
    xx += (x - mean_x) * (x - mean_x);
    xy += (x - mean_x) * (y - mean_y);
  }
  const double slope = xy / xx;
  return {.at_0 = mean_y - slope * mean_x, .slope = slope, .points = points.size()};
}

std::optional<StraightLine> line_at_end(std::span<const DataPoint> points) {
  for (const double tolerance : {1e-8, 1e-6, 1e-4, 1e-3}) {
    std::optional<StraightLine> found;
    for (std::size_t count = least_points; count <= points.size(); ++count) {
      const auto last = points.last(count);
      const StraightLine line = least_squares(last);
      if (!fits(line, last, tolerance)) break;
      found = line;
    }
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace tutti::studies
