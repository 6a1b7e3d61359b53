// SPDX-License-Identifier: BSD-3-Clause
// Reads a <cluster>.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/parameters/values.hpp"
#include "platforms/topologies/family.hpp"
#include "platforms/xml/source.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

struct ClusterDescription {
  std::unique_ptr<const Topology> topology;  // null after an error
  int cores_per_host = 1;
  double core_flops_per_s = 0;   // 0: not given
  std::optional<Link> loopback;  // of each host
  std::vector<std::string> warnings;
};

// Totals of the clusters read so far from a file, by family.
using CountedClusters = std::map<std::string_view, CountedBefore>;

// The keys link/... and backbone/... of `settings` override the attributes, unless `errors` already
// contains an error. Adds an error for everything that is invalid, and the cluster to `counted`.
ClusterDescription read_cluster(const XmlSource& source, pugi::xml_node element,
                                const Settings& settings, CountedClusters& counted,
                                ErrorList& errors);

}  // namespace tutti::platforms
