// SPDX-License-Identifier: BSD-3-Clause
// The attributes of <cluster>.
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

// The attribute `topo_parameters` of a <cluster>, one form a topology. Errors have no place: the
// caller adds it.

// What is returned can be built of `spec`: it has as many hosts as its radical (an empty radical
// fits anything, it has an error already) and not too many links.
Result<FatTreeShape> parse_fat_tree(std::string_view text, const ClusterSpec& spec);
Result<TorusShape> parse_torus(std::string_view text, const ClusterSpec& spec);
Result<DragonflyShape> parse_dragonfly(std::string_view text, const ClusterSpec& spec);

struct ClusterDescription {
  std::unique_ptr<const Topology> topology;  // null if something is wrong
  int cores_per_host = 1;
  std::optional<Link> loopback;  // each host's own
  std::vector<std::string> warnings;
};

// Of the clusters of a file that were read.
struct CountedClusters {
  CountedBefore fat_trees;
  CountedBefore dragonflies;
};

// The link/... and backbone/... of `settings` win over the attributes, if no error was found
// before. What could not be read has an error in `errors`. Adds the cluster to those `counted`.
ClusterDescription read_cluster(const XmlSource& source, pugi::xml_node element,
                                const Settings& settings, CountedClusters& counted,
                                ErrorList& errors);

}  // namespace tutti::platforms
