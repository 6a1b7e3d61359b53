// SPDX-License-Identifier: BSD-3-Clause
// Reads the routes of a platform's zones: <route>, <zoneRoute> and <host_link>.
#pragma once

#include "platforms/xml/zone_contents.hpp"

namespace tutti::platforms {

// Adds the routes to the zones of `contents`.
void read_zone_routes(const XmlSource& source, const Document& document, ZoneContents& contents,
                      ErrorList& errors);

}  // namespace tutti::platforms
