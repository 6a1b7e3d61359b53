// SPDX-License-Identifier: BSD-3-Clause
// Derives the message protocols from checked settings.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/parameters/values.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// Fills the protocols, the memory bus, the combine and copy rates and the default ppn. The topology
// and cores of `machine` must be set; its bus is the loopback of the cluster, or has bandwidth 0.
// If messages inside a node use the network, the bus keeps bandwidth 0 unless the file defines one.
void read_message_parameters(const Settings& settings, Machine& machine, ErrorList& errors);

// A warning that lists the essential message parameters that the file lacks; unset if it has all.
std::optional<std::string> absent_parameters(const Settings& settings);

// A warning that non-blocking sends are free because smpi/os is set without smpi/ois; else unset.
std::optional<std::string> free_isends(const Settings& settings);

// The keys that set a parameter of messages between nodes, by precedence: for "eager_limit",
// mpi/eager_limit and SMPI's smpi/async-small-thresh.
std::vector<std::string> spellings(std::string_view name);

}  // namespace tutti::platforms
