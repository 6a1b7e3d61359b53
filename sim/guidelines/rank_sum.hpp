// SPDX-License-Identifier: BSD-3-Clause
// Wilcoxon's rank-sum test, one-sided, as PGMPI uses it on the medians of its runs.
#pragma once

#include <span>
#include <string_view>

#include "sim/base/units.hpp"

namespace tutti::studies::guidelines {

// How likely the ranks of `lower` are as low as they are, or lower, if both samples come from one
// distribution. Exact up to 60 values, also with ties: over all ways to divide them; of more by the
// normal approximation, corrected for ties and continuity. Neither is empty.
double p_of_lower(std::span<const double> lower, std::span<const double> higher);

// "*", "**", "***" below 0.05, 0.01, 0.001; else empty.
std::string_view stars_of(double p);

}  // namespace tutti::studies::guidelines
