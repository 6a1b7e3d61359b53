// SPDX-License-Identifier: BSD-3-Clause
// Order statistics of a few numbers.
#pragma once

#include <vector>

namespace tutti {

// The median; for an even number of values the mean of the two middle ones. `values` must not be
// empty.
double median_of(std::vector<double> values);
// The quantile for the fraction `part` (0 to 1) by the nearest-rank method; it is one of the
// values. `values` must not be empty.
double quantile_of(std::vector<double> values, double part);

}  // namespace tutti
