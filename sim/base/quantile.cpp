// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/quantile.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/check.hpp"

namespace tutti {

double median_of(std::vector<double> values) {
  TUTTI_CHECK(!values.empty(), "a median needs values");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

double quantile_of(std::vector<double> values, double part) {
  TUTTI_CHECK(!values.empty() && part >= 0 && part <= 1,
              "a quantile needs values and 0 <= part <= 1");
  const double rank = std::ceil(part * static_cast<double>(values.size()));
  const auto at =
      values.begin() + std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(rank) - 1);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace tutti
