// SPDX-License-Identifier: BSD-3-Clause
// Reads the structure of a platform file: which elements are allowed where, zones, clusters, props.
#pragma once

#include "platforms/parameters/values.hpp"
#include "platforms/topologies/zones/zone_spec.hpp"
#include "platforms/xml/source.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// A <zone>, <AS> or <cluster>.
struct ZoneElement {
  pugi::xml_node element;
  ZoneId parent = no_zone;
  int depth = 0;
  ZoneRouting routing = ZoneRouting::none;
  bool has_zones = false;
};

// A <prop> of <config> (no_zone), of a zone or of a cluster.
struct ZoneProp {
  Setting setting;
  ZoneId zone = no_zone;
};

struct Document {
  std::vector<ZoneElement> zones;  // in file order
  std::vector<ZoneProp> props;     // in file order
  // The only <cluster> of the file, if the zones around it contain only this cluster; else empty.
  pugi::xml_node only_cluster;
};

// Visits the elements of a well-formed file.
Document read_document(const XmlSource& source, const pugi::xml_document& tree, ErrorList& errors);

}  // namespace tutti::platforms
