// SPDX-License-Identifier: BSD-3-Clause
// Finds the edges that a route inside one zone crosses: one implementation per kind of routing.
#pragma once

#include "platforms/topologies/zones/zone_spec.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

using EdgeId = std::uint32_t;  // an index into ZoneSpec::edges
inline constexpr EdgeId no_edge = std::numeric_limits<EdgeId>::max();

// Thread-safe.
class Paths {
 public:
  virtual ~Paths() = default;
  // Appends the edges that lead from one vertex to another, last edge first; none if there is no
  // path. From a vertex to itself: the route of the file, or none.
  virtual void append_backwards(VertexId from, VertexId to, std::vector<EdgeId>& edges) const = 0;
};

// For routing full, floyd or dijkstra; null for the others. Keeps a reference to zone.edges.
std::unique_ptr<const Paths> make_paths(const ZoneSpec& zone);

}  // namespace tutti::platforms
