// SPDX-License-Identifier: BSD-3-Clause
// The interface between the SimGrid module and the program that loads it. Both must be of the same
// build.
#pragma once

#include "sim/engines/engine.hpp"
#include "sim/engines/simgrid_routes.hpp"

namespace tutti::engines {

struct SimgridEntryPoints {
  Outcome (*run)(const Job& job);  // run_simgrid
  std::unique_ptr<SimgridRoutes> (*open_routes)(
      const std::string& file, const std::vector<platforms::GivenParameter>& given);
};

// The name of the only symbol that the module exports, a SimgridEntryPoints.
inline constexpr const char* simgrid_entry_points_name = "tutti_simgrid_entry_points";

}  // namespace tutti::engines
