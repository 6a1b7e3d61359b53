// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/engines/simgrid_routes.hpp"

namespace tutti::engines {

// open_simgrid_routes inside the module.
std::unique_ptr<SimgridRoutes> read_in_simgrid(const std::string& file,
                                               const std::vector<std::string>& known_keys);

}  // namespace tutti::engines
