// SPDX-License-Identifier: BSD-3-Clause
// From checked settings to how messages travel.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/parameters/values.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// Fills the protocols, the memory bus, combine and copy rates and the default ppn. `machine` has
// its topology and cores; its bus is the cluster's loopback, or has bandwidth 0. With messages
// inside a node over the network the bus keeps bandwidth 0 unless the file gives one.
void read_message_parameters(const Settings& settings, Machine& machine, ErrorList& errors);

// Names the parameters that every model of messages needs and the file lacks; unset if it has them.
std::optional<std::string> absent_parameters(const Settings& settings);

// Says that non-blocking sends are free where the platform follows SMPI in that, perhaps unaware.
std::optional<std::string> free_isends(const Settings& settings);

// The keys that give a parameter of messages between nodes, the one that wins first: for
// "eager_limit" mpi/eager_limit and SMPI's smpi/async-small-thresh.
std::vector<std::string> spellings(std::string_view name);

}  // namespace tutti::platforms
