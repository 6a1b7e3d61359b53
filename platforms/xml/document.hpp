// SPDX-License-Identifier: BSD-3-Clause
// The elements of a platform file: which are allowed where, the one cluster, the props.
#pragma once

#include <string>
#include <vector>

#include "platforms/parameters/settings.hpp"
#include "platforms/xml/source.hpp"
#include "sim/base/error_list.hpp"

namespace tutti::platforms {

// Walks the elements of a well-formed file, collects the props of <config>, zones and the cluster
// in `settings` (the innermost wins) and returns the cluster's element; null where there is none.
pugi::xml_node read_document(const XmlSource& source, const pugi::xml_document& tree,
                             Settings& settings, ErrorList& errors);

struct AttributeRules {
  std::vector<std::string> required{};
  std::vector<std::string> optional{};
};
// Unknown, repeated and missing attributes of one element.
void check_attributes(const XmlSource& source, pugi::xml_node element, const AttributeRules& rules,
                      ErrorList& errors);

}  // namespace tutti::platforms
