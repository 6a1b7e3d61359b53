// SPDX-License-Identifier: BSD-3-Clause
// A machine's network as an SVG picture: hosts, switches, cables.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::reports {

// Larger machines are an error of kind usage: nobody sees anything in their picture.
inline constexpr std::size_t most_drawn_vertices = 6000;
inline constexpr std::size_t most_drawn_edges = 60'000;

// A fat tree in layers, a torus as a grid, a dragonfly as groups on a circle, a flat cluster as a
// star; what else there is by forces, or in layers where it is large.
Result<std::string> machine_picture(const platforms::Machine& machine);

}  // namespace tutti::reports
