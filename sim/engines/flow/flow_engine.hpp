// SPDX-License-Identifier: BSD-3-Clause
// The fast engine: an event loop with max-min fair rates over the machine's links.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/engines/flow/fair_shares.hpp"

namespace tutti::engines {

// Verification of rates: recomputes all classes from scratch by a simple and slow algorithm.

// Returns a sentence about the first class whose rate differs from the max-min fair allocation by a
// relative difference above `tolerance`; empty if all rates are right. Call after `solve`.
std::string audit(const FairShares& shares, double tolerance = 1e-9);

// May be called any number of times in one process, and in several threads at the same time.
Outcome run_flow(const Job& job);

}  // namespace tutti::engines
