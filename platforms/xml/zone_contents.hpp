// SPDX-License-Identifier: BSD-3-Clause
// The first look at a platform's zones: their hosts, routers, links and clusters, with names.
#pragma once

#include <map>
#include <vector>

#include "platforms/xml/document.hpp"
#include "platforms/xml/zone_names.hpp"
#include "platforms/xml/zones.hpp"

namespace tutti::platforms {

struct ZoneContents {
  ZonesDescription zones;
  ZoneNames names;                     // once all are read, those of the clusters' hosts too
  std::map<ZoneId, LinkId> backbones;  // of zones with routing Cluster
};

ZoneContents read_zone_contents(const XmlSource& source, const Document& document,
                                ErrorList& errors);

}  // namespace tutti::platforms
