// SPDX-License-Identifier: BSD-3-Clause
// Draws the network of a large machine as a readable SVG schematic: boxes of nodes ("160 nodes"),
// switches by level, rings of a torus, one group of a dragonfly in detail.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::reports {

// Draws what the topology describes (topology_description.hpp), else the levels of switches above
// the nodes, which may have several NICs; returns nothing for other networks.
std::optional<std::string> machine_schematic(const platforms::Machine& machine);

}  // namespace tutti::reports
