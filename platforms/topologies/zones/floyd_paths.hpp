// SPDX-License-Identifier: BSD-3-Clause
// Routing Floyd: paths of the least number of links, by Floyd and Warshall's algorithm. Among paths
// of equal length it takes the one that SimGrid takes: a later vertex in the middle must be
// strictly better.
#pragma once

#include "platforms/topologies/zones/core.hpp"

namespace tutti::platforms {

class FloydPaths : public Paths {
 public:
  static constexpr VertexId most_vertices = 2048;  // without pendants; n^3 steps: some seconds

  explicit FloydPaths(const ZoneSpec& zone);
  void append_backwards(VertexId from, VertexId to, std::vector<EdgeId>& edges) const override;

 private:
  const std::vector<ZoneEdge>& edges_;
  Core core_;
  std::size_t vertices_;      // of the core
  std::vector<EdgeId> last_;  // of the path from a to b, at a * vertices + b; no_edge: no path
};

}  // namespace tutti::platforms
