// SPDX-License-Identifier: BSD-3-Clause
// Numbers that are equal except for rounding. doctest's Approx adds 1 to the scale, so by default
// any two times of microseconds are equal to it. Here the tolerance is always relative.
#pragma once

#include <doctest/doctest.h>

namespace tutti::tests {

inline doctest::Approx close_to(double value, double tolerance) {
  return doctest::Approx(value).epsilon(tolerance).scale(1e-12);
}

inline doctest::Approx exactly(double value) { return close_to(value, 1e-9); }

}  // namespace tutti::tests
