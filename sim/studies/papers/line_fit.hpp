// SPDX-License-Identifier: BSD-3-Clause
// A line through points by least squares.
#pragma once

#include <span>

namespace tutti::studies::papers {

struct LineFit {
  double constant = 0;
  double slope = 0;
  double r2 = 0;  // 1: all points lie on it

  double operator()(double x) const { return constant + slope * x; }
};

// Two points at least, of different x; not all of one y.
LineFit fit_line(std::span<const double> x, std::span<const double> y);

}  // namespace tutti::studies::papers
