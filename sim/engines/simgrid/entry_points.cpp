// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/simgrid/entry_points.hpp"

#include "sim/engines/simgrid/simgrid_engine.hpp"
#include "sim/engines/simgrid/simgrid_platform.hpp"

using tutti::engines::SimgridEntryPoints;

extern "C" {
extern __attribute__((visibility("default"))) const SimgridEntryPoints tutti_simgrid_entry_points;
const SimgridEntryPoints tutti_simgrid_entry_points{.run = tutti::engines::run_in_simgrid,
                                                    .open_routes = tutti::engines::read_in_simgrid};
}
