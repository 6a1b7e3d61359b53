// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/papers/line_fit.hpp"

#include <numeric>

#include "sim/base/check.hpp"

namespace tutti::studies::papers {
namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

LineFit fit_line(std::span<const double> x, std::span<const double> y) {
  TUTTI_CHECK(x.size() == y.size() && x.size() >= 2, "a line needs two points");
  const double x_mean = mean(x);
  const double y_mean = mean(y);
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - x_mean) * (x[i] - x_mean);
    xy += (x[i] - x_mean) * (y[i] - y_mean);
    yy += (y[i] - y_mean) * (y[i] - y_mean);
  }
  TUTTI_CHECK(xx > 0 && yy > 0, "points that are one");
  const double slope = xy / xx;
  return {y_mean - slope * x_mean, slope, xy * xy / (xx * yy)};
}

}  // namespace tutti::studies::papers
