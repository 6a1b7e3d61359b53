// SPDX-License-Identifier: BSD-3-Clause
// Order statistics of a few numbers.
#pragma once

#include <vector>

namespace tutti {

// `values` must not be empty. Of an even number of them the mean of the two in the middle.
double median_of(std::vector<double> values);
// The value that the part `part` (0 to 1) of the others does not exceed: one of them, by the
// nearest-rank rule.
double quantile_of(std::vector<double> values, double part);

}  // namespace tutti
