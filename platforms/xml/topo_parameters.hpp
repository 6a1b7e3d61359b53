// SPDX-License-Identifier: BSD-3-Clause
// The attribute `topo_parameters` of a <cluster>, one form a topology. Errors have no place: the
// caller adds it.
#pragma once

#include <string_view>

#include "platforms/topologies/dragonfly.hpp"
#include "platforms/topologies/fat_tree.hpp"
#include "platforms/topologies/torus.hpp"
#include "sim/base/result.hpp"

namespace tutti::platforms {

// What is returned can be built of `spec`: it has as many hosts as its radical (an empty radical
// fits anything, it has an error already) and not too many links.
Result<FatTreeShape> parse_fat_tree(std::string_view text, const ClusterSpec& spec);
Result<TorusShape> parse_torus(std::string_view text, const ClusterSpec& spec);
Result<DragonflyShape> parse_dragonfly(std::string_view text, const ClusterSpec& spec);

}  // namespace tutti::platforms
