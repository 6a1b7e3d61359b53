// SPDX-License-Identifier: BSD-3-Clause
// Parses text into a tree of elements. Rejects malformed XML that pugixml accepts.
#pragma once

#include "platforms/parameters/values.hpp"
#include "platforms/topologies/zones/zone_spec.hpp"
#include "platforms/xml/document.hpp"
#include "platforms/xml/source.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// Convert the props of a file to the settings of a machine.

// For a file with a single cluster: the innermost prop wins.
Settings cluster_settings(const Document& document);

// For a file with zones: a known key must apply to all hosts. Of the zones that contain all hosts,
// the innermost wins. Other zones must agree with it, or, if there is none, with each other and
// contain all hosts together.
Settings zone_settings(const Document& document, const ZoneTreeSpec& zones, ErrorList& errors);

// Rejects settings that change the links of a cluster.
void reject_link_settings(const Settings& settings, ErrorList& errors);

// Parses `source` into `tree`, which then has at least one top-level element. Returns false and
// adds to `errors` if that fails.
bool parse_xml(const XmlSource& source, pugi::xml_document& tree, ErrorList& errors);

}  // namespace tutti::platforms
