// SPDX-License-Identifier: BSD-3-Clause
// What the zones of a platform hold: hosts, routers, links, clusters and the routes between them.
#pragma once

#include "platforms/parameters/values.hpp"
#include "platforms/topologies/zones/zone_spec.hpp"
#include "platforms/xml/document.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

struct ZonesDescription {
  ZoneTreeSpec spec;            // its zones are those of the document
  std::vector<int> host_cores;  // by host
  std::optional<Link> bus;      // of every host: all are in clusters whose loopbacks are equal
  std::vector<std::string> warnings;
};

// What could not be read has an error in `errors`; the description is whole if there is none.
ZonesDescription read_zones(const XmlSource& source, const Document& document, ErrorList& errors);

// Makes the loopback of hosts outside of clusters what network/loopback-bw and -lat say.
void apply_loopback(const Settings& settings, ZoneTreeSpec& spec);

}  // namespace tutti::platforms
