// SPDX-License-Identifier: BSD-3-Clause
// What the module of SimGrid gives to the program that loads it. Both are of one build.
#pragma once

#include "sim/engines/engine.hpp"

namespace tutti::engines {

struct SimgridEntryPoints {
  Outcome (*run)(const Job& job);  // run_simgrid
};

// The name of the only symbol that the module exports, a SimgridEntryPoints.
inline constexpr const char* simgrid_entry_points_name = "tutti_simgrid_entry_points";

}  // namespace tutti::engines
