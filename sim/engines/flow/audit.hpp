// SPDX-License-Identifier: BSD-3-Clause
// A second opinion on rates: solves all classes from scratch, the slow and plain way.
#pragma once

#include <string>

#include "sim/engines/flow/fair_shares.hpp"

namespace tutti::engines {

// The first class whose rate is not that of the max-min fair allocation (relative difference above
// `tolerance`), as a sentence; empty: all rates are right. After `solve`.
std::string audit(const FairShares& shares, double tolerance = 1e-9);

}  // namespace tutti::engines
