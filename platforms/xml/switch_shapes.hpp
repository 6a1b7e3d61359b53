// SPDX-License-Identifier: BSD-3-Clause
// Parsers of `topo_parameters` for the topologies that SimGrid does not know, and the names of the
// levels of links of all clusters, whose bandwidth and latency can be set.
#pragma once

#include "platforms/topologies/dragonfly.hpp"
#include "platforms/topologies/dragonfly_1d.hpp"
#include "platforms/topologies/dragonfly_plus.hpp"
#include "platforms/topologies/fat_tree.hpp"
#include "platforms/topologies/hyperx.hpp"
#include "platforms/topologies/tofu.hpp"
#include "platforms/topologies/torus.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// As those of cluster.hpp.
Result<DragonflyPlusShape> parse_dragonfly_plus(std::string_view text, const ClusterSpec& spec);
Result<Dragonfly1dShape> parse_dragonfly_1d(std::string_view text, const ClusterSpec& spec);
Result<HyperXShape> parse_hyperx(std::string_view text, const ClusterSpec& spec);
// Without a logical torus.
Result<TofuShape> parse_tofu(std::string_view text, const ClusterSpec& spec);
// The sizes of a logical torus, "8x6x4", for this network.
Result<TofuShape> with_job(TofuShape network, std::string_view text);

// The levels of links, as in `link/NAME/bandwidth`; empty if all links are equal.
using LevelNames = std::vector<std::string>;
template <class Shape>
LevelNames level_names(const Shape&) {
  return {};
}
LevelNames level_names(const FatTreeShape& shape);        // level1, level2, ...
LevelNames level_names(const DragonflyPlusShape& shape);  // node, local, global
LevelNames level_names(const Dragonfly1dShape& shape);    // the same
LevelNames level_names(const DragonflyShape& shape);      // the same
LevelNames level_names(const HyperXShape& shape);         // node, dimension1, ...
LevelNames level_names(const TorusShape& shape);          // dimension1, ...
LevelNames level_names(const TofuShape& shape);           // dimension1 (X), ..., dimension6 (C)

}  // namespace tutti::platforms
