// SPDX-License-Identifier: BSD-3-Clause
// Verification of rates: recomputes all classes from scratch by a simple and slow algorithm.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/flow/fair_shares.hpp"

namespace tutti::engines {

// Returns a sentence about the first class whose rate differs from the max-min fair allocation by a
// relative difference above `tolerance`; empty if all rates are right. Call after `solve`.
std::string audit(const FairShares& shares, double tolerance = 1e-9);

}  // namespace tutti::engines
