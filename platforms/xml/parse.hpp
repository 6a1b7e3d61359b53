// SPDX-License-Identifier: BSD-3-Clause
// From text to a tree of elements. What pugixml lets pass though it is not XML is refused here.
#pragma once

#include "platforms/xml/source.hpp"
#include "sim/base/error_list.hpp"

namespace tutti::platforms {

// Parses `source` into `tree`, which has one element or more at its top. False: `errors` says why.
bool parse_xml(const XmlSource& source, pugi::xml_document& tree, ErrorList& errors);

}  // namespace tutti::platforms
