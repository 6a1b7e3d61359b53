// SPDX-License-Identifier: BSD-3-Clause
// A large machine's network as an SVG picture that stays readable: nodes in boxes ("160 nodes"),
// switches by level, rings of a torus.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::reports {

// Of networks whose nodes hang on switches in levels, and of tori. Nothing for others.
std::optional<std::string> machine_schematic(const platforms::Machine& machine);

}  // namespace tutti::reports
