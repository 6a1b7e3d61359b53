// SPDX-License-Identifier: BSD-3-Clause
// The schematics of networks, each in a file of its own. `graph` is that of the machine's topology.
#pragma once

#include "platforms/topology_description.hpp"
#include "sim/base/common.hpp"
#include "sim/reports/schematics/levels.hpp"

namespace tutti::reports::schematics {

// The rings, and one of the units that they connect. Nothing if there are no links.
std::optional<std::string> rings_picture(const platforms::Machine& machine,
                                         const platforms::Graph& graph,
                                         const platforms::RingsDrawing& drawing);
// One row of switches per dimension.
std::string meshes_picture(const platforms::Machine& machine, const platforms::Graph& graph,
                           const platforms::MeshesDrawing& drawing);
// The groups, and one of them in detail.
std::string groups_picture(const platforms::Machine& machine, const platforms::Graph& graph,
                           const platforms::GroupsDrawing& drawing);
// A network whose nodes have several NICs: the levels of switches, and the nodes that have the same
// leaf switches, one group of them in detail.
std::string rails_picture(const platforms::Machine& machine, const platforms::Graph& graph,
                          const Levels& levels);

}  // namespace tutti::reports::schematics
