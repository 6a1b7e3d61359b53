// SPDX-License-Identifier: BSD-3-Clause
// Draws the network of a machine as SVG: hosts, switches, links.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::reports {

// Drawing each node of a larger machine is an error of kind usage: the picture would be unreadable.
inline constexpr std::size_t most_drawn_vertices = 6000;
inline constexpr std::size_t most_drawn_edges = 60'000;
inline constexpr std::size_t most_schematic_hosts = 300'000;

// Draws a fat tree in layers, a torus as a grid, a dragonfly as groups on a circle, and a flat
// cluster as a star. Other networks have a force-directed layout, or layers if they are large.
// Unless `all_nodes` is set, a network whose nodes have several NICs, or with too many nodes to
// distinguish, is drawn as a schematic if its topology has one.
Result<std::string> machine_picture(const platforms::Machine& machine, bool all_nodes = false);

// Draws the network of a large machine as a readable SVG schematic: boxes of nodes ("160 nodes"),
// switches by level, rings of a torus, one group of a dragonfly in detail. Draws what the topology
// describes (topology_description.hpp), else the levels of switches above the nodes, which may have
// several NICs; returns nothing for other networks.
std::optional<std::string> machine_schematic(const platforms::Machine& machine);

}  // namespace tutti::reports
