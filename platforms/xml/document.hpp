// SPDX-License-Identifier: BSD-3-Clause
// The elements of a platform file: which are allowed where, its zones and clusters, the props.
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
  std::vector<ZoneElement> zones;  // in the order of the file
  std::vector<ZoneProp> props;     // likewise
  // The file's only <cluster>, if zones that hold nothing else are all that is around it.
  pugi::xml_node only_cluster;
};

// Walks the elements of a well-formed file.
Document read_document(const XmlSource& source, const pugi::xml_document& tree, ErrorList& errors);

}  // namespace tutti::platforms
