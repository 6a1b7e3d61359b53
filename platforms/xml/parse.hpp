// SPDX-License-Identifier: BSD-3-Clause
// From text to a tree of elements. What pugixml lets pass though it is not XML is refused here.
#pragma once

#include "platforms/parameters/values.hpp"
#include "platforms/topologies/zones/zone_spec.hpp"
#include "platforms/xml/document.hpp"
#include "platforms/xml/source.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// From the props of a file to the settings of a machine.

// Of a file with one cluster: the innermost wins.
Settings cluster_settings(const Document& document);

// Of a file with zones: a key with a meaning here holds for all hosts, or it is an error. Of the
// zones that hold all hosts the innermost wins; others must agree with them, or with each other and
// hold all hosts together.
Settings zone_settings(const Document& document, const ZoneTreeSpec& zones, ErrorList& errors);

// Refuses what changes the links of a cluster.
void reject_link_settings(const Settings& settings, ErrorList& errors);

// Parses `source` into `tree`, which has one element or more at its top. False: `errors` says why.
bool parse_xml(const XmlSource& source, pugi::xml_document& tree, ErrorList& errors);

}  // namespace tutti::platforms
