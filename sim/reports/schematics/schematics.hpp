// SPDX-License-Identifier: BSD-3-Clause
// The schematics of topologies: functions of the machine, each in a file of its own. They return
// nothing if the machine's parameters are not those of the topology.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/reports/schematics/levels.hpp"

namespace tutti::reports::schematics {

// Any kind of torus: one ring per dimension.
std::optional<std::string> rings_picture(const platforms::Machine& machine);
// The rings of the axes X, Y, Z, and one of the units that they connect.
std::optional<std::string> tofu_picture(const platforms::Machine& machine);
// One row of switches per dimension.
std::optional<std::string> hyperx_picture(const platforms::Machine& machine);
// A dragonfly+ or 1D dragonfly: the groups, and one of them in detail.
std::optional<std::string> dragonfly_picture(const platforms::Machine& machine);
// A network whose nodes have several NICs: the levels of switches, and the nodes that have the same
// leaf switches, one group of them in detail.
std::string rails_picture(const platforms::Machine& machine, const platforms::Graph& graph,
                          const Levels& levels);

}  // namespace tutti::reports::schematics
