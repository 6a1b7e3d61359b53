// SPDX-License-Identifier: BSD-3-Clause
// A topology and its sizes in words.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports::schematics {

// "fat tree of 3 levels", "torus of 16 x 8 x 8", "dragonfly+ of 20 cells with 18 leaf and 18 spine
// switches each". The arguments are those of platforms::Topology.
std::string topology_text(std::string_view kind, std::string_view parameters);

}  // namespace tutti::reports::schematics
