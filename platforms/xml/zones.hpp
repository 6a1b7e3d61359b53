// SPDX-License-Identifier: BSD-3-Clause
// Reads the zones of a platform: hosts, routers, links, clusters and the routes between them.
#pragma once

#include "platforms/parameters/values.hpp"
#include "platforms/topologies/zones/zone_spec.hpp"
#include "platforms/xml/document.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

struct ZonesDescription {
  ZoneTreeSpec spec;                     // same zones as the document
  std::vector<int> host_cores;           // by host
  std::vector<double> core_flops_per_s;  // by host; 0: not given
  std::optional<Link> bus;  // of every host, if all are in clusters with equal loopbacks
  std::vector<std::string> warnings;
};

// Adds an error for everything that is invalid; without errors, the description is complete.
ZonesDescription read_zones(const XmlSource& source, const Document& document, ErrorList& errors);

// Applies network/loopback-bw and -lat to the loopbacks of hosts outside clusters.
void apply_loopback(const Settings& settings, ZoneTreeSpec& spec);

}  // namespace tutti::platforms
