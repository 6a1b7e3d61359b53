// SPDX-License-Identifier: BSD-3-Clause
// Reads a <cluster>.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/parameters/values.hpp"
#include "platforms/topologies/cable_cluster.hpp"
#include "platforms/topologies/dragonfly.hpp"
#include "platforms/topologies/fat_tree.hpp"
#include "platforms/topologies/torus.hpp"
#include "platforms/xml/source.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// Parsers of the attribute `topo_parameters`, one per topology. Errors have no place; the caller
// adds it.

// The returned shape can be built with `spec`: it has as many hosts as the radical (an empty
// radical, which has an error already, fits any shape) and not too many links.
Result<FatTreeShape> parse_fat_tree(std::string_view text, const ClusterSpec& spec);
Result<TorusShape> parse_torus(std::string_view text, const ClusterSpec& spec);
Result<DragonflyShape> parse_dragonfly(std::string_view text, const ClusterSpec& spec);

struct ClusterDescription {
  std::unique_ptr<const Topology> topology;  // null after an error
  int cores_per_host = 1;
  double core_flops_per_s = 0;   // 0: not given
  std::optional<Link> loopback;  // of each host
  std::vector<std::string> warnings;
};

// Totals of the clusters read so far from a file.
struct CountedClusters {
  CountedBefore fat_trees;
  CountedBefore dragonflies;
};

// The keys link/... and backbone/... of `settings` override the attributes, unless `errors` already
// contains an error. Adds an error for everything that is invalid, and the cluster to `counted`.
ClusterDescription read_cluster(const XmlSource& source, pugi::xml_node element,
                                const Settings& settings, CountedClusters& counted,
                                ErrorList& errors);

}  // namespace tutti::platforms
