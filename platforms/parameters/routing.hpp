// SPDX-License-Identifier: BSD-3-Clause
// Derives from checked settings which paths messages use, and the sockets inside nodes.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/parameters/values.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// Fills spreads_jobs, routing, adaptive_shortest, adaptive_detours, stripe_from and sockets. The
// topology and the memory bus must be set.
void read_routing_parameters(const Settings& settings, Machine& machine, ErrorList& errors);

// The words of mpi/routing, in the order of Routing.
std::vector<std::string> routing_names();
std::string_view routing_name(Routing routing);

}  // namespace tutti::platforms
