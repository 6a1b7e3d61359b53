// SPDX-License-Identifier: BSD-3-Clause
// The fast engine: an event loop of its own and max-min fair rates over the machine's links.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/engines/flow/fair_shares.hpp"

namespace tutti::engines {

// A second opinion on rates: solves all classes from scratch, the slow and plain way.

// The first class whose rate is not that of the max-min fair allocation (relative difference above
// `tolerance`), as a sentence; empty: all rates are right. After `solve`.
std::string audit(const FairShares& shares, double tolerance = 1e-9);

// May run any number of times in one process, and in several threads at once.
Outcome run_flow(const Job& job);

}  // namespace tutti::engines
