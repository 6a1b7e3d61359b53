// SPDX-License-Identifier: BSD-3-Clause
// The reference engine: every rank is an S4U actor on its node's host, messages are SimGrid flows.
#pragma once

#include "sim/engines/engine.hpp"

namespace tutti::engines {

// Once per process: SimGrid's engine is one per process, and is never taken down. Throws if the
// module cannot be loaded: a ThrownError then says why.
Outcome run_simgrid(const Job& job);
// The same inside the module.
Outcome run_in_simgrid(const Job& job);

}  // namespace tutti::engines
