// SPDX-License-Identifier: BSD-3-Clause
// A machine's network as an SVG picture: hosts, switches, cables.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::reports {

// Pictures of each node of larger machines are an error of kind usage: nobody sees anything there.
inline constexpr std::size_t most_drawn_vertices = 6000;
inline constexpr std::size_t most_drawn_edges = 60'000;
inline constexpr std::size_t most_schematic_hosts = 300'000;

// A fat tree in layers, a torus as a grid, a dragonfly as groups on a circle, a flat cluster as a
// star; what else there is by forces, or in layers where it is large. Unless `all_nodes`, networks
// of more nodes than are distinguishable are a schematic (machine_schematic.hpp), where there is
// one.
Result<std::string> machine_picture(const platforms::Machine& machine, bool all_nodes = false);

}  // namespace tutti::reports
