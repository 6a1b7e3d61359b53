// SPDX-License-Identifier: BSD-3-Clause
// Which edges a route inside one zone crosses: one implementation per kind of routing.
#pragma once

#include "platforms/topologies/zones/zone_spec.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

using EdgeId = std::uint32_t;  // an index of ZoneSpec::edges
inline constexpr EdgeId no_edge = std::numeric_limits<EdgeId>::max();

// Safe to use from several threads.
class Paths {
 public:
  virtual ~Paths() = default;
  // Appends the edges that lead from one vertex to another, the last one first; none where there is
  // no path. From a vertex to itself: the route that the file gives, or none.
  virtual void append_backwards(VertexId from, VertexId to, std::vector<EdgeId>& edges) const = 0;
};

// For routing full, floyd or dijkstra; null for the others. Keeps a reference to zone.edges.
std::unique_ptr<const Paths> make_paths(const ZoneSpec& zone);

}  // namespace tutti::platforms
