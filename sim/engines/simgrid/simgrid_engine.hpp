// SPDX-License-Identifier: BSD-3-Clause
// The reference engine: every rank is an S4U actor on its node's host, messages are SimGrid flows.
#pragma once

#include "sim/engines/engine.hpp"

namespace tutti::engines {

// May be called once per process, because SimGrid's engine is a singleton that is never destroyed.
// Throws a ThrownError with the reason if the module cannot be loaded.
Outcome run_simgrid(const Job& job);
// The same inside the module.
Outcome run_in_simgrid(const Job& job);

}  // namespace tutti::engines
