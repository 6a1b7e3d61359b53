// SPDX-License-Identifier: BSD-3-Clause
// The fast engine: an event loop with max-min fair rates over the machine's links.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"

namespace tutti::engines {

// May be called any number of times in one process, and in several threads at the same time.
Outcome run_flow(const Job& job);

}  // namespace tutti::engines
