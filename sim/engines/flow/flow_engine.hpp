// SPDX-License-Identifier: BSD-3-Clause
// The fast engine: an event loop of its own and max-min fair rates over the machine's links.
#pragma once

#include "sim/engines/engine.hpp"

namespace tutti::engines {

// May run any number of times in one process, and in several threads at once.
Outcome run_flow(const Job& job);

}  // namespace tutti::engines
