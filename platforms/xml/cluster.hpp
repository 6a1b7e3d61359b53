// SPDX-License-Identifier: BSD-3-Clause
// The attributes of <cluster>.
#pragma once

#include <optional>

#include "platforms/topologies/flat_cluster.hpp"
#include "platforms/xml/source.hpp"
#include "sim/base/error_list.hpp"

namespace tutti::platforms {

struct ClusterDescription {
  FlatClusterSpec flat;
  int cores_per_host = 1;
  std::optional<Link> loopback;  // each host's own
};

// What could not be read has its default and an error in `errors`.
ClusterDescription read_cluster(const XmlSource& source, pugi::xml_node element, ErrorList& errors);

}  // namespace tutti::platforms
