// SPDX-License-Identifier: BSD-3-Clause
// The attributes of <cluster>.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platforms/machine.hpp"
#include "platforms/parameters/settings.hpp"
#include "platforms/topologies/cable_cluster.hpp"
#include "platforms/xml/source.hpp"
#include "sim/base/error_list.hpp"

namespace tutti::platforms {

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
