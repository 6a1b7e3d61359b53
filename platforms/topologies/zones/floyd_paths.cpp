// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/zones/floyd_paths.hpp"

#include "sim/base/check.hpp"

namespace tutti::platforms {
namespace {

using Cost = std::uint32_t;
constexpr Cost unreachable = 1U << 30;  // twice this is still a Cost

// Row b of `row` becomes the better of itself and the way over the middle.
void relax(Cost to_middle, const Cost* middle, const EdgeId* middle_last, Cost* row, EdgeId* last,
           std::size_t vertices) {
  for (std::size_t b = 0; b < vertices; ++b) {
    const Cost over = to_middle + middle[b];
    const bool better = over < row[b];
    row[b] = better ? over : row[b];
    last[b] = better ? middle_last[b] : last[b];
  }
}

}  // namespace

FloydPaths::FloydPaths(const ZoneSpec& zone)
    : edges_(zone.edges),
      core_(zone),
      vertices_(core_.size()),
      last_(vertices_ * vertices_, no_edge) {
  TUTTI_CHECK(vertices_ <= most_vertices, "too many vertices for n^3 steps");
  std::vector<Cost> cost(vertices_ * vertices_, unreachable);
  for (const EdgeId id : core_.edges()) {
    const auto pair = core_.number(edges_[id].from) * vertices_ + core_.number(edges_[id].to);
    cost[pair] = edges_[id].links.count;
    last_[pair] = id;
  }
  for (std::size_t c = 0; c < vertices_; ++c)
    for (std::size_t a = 0; a < vertices_; ++a)
      if (const Cost to_middle = cost[a * vertices_ + c]; a != c && to_middle < unreachable)
        relax(to_middle, &cost[c * vertices_], &last_[c * vertices_], &cost[a * vertices_],
              &last_[a * vertices_], vertices_);
}

void FloydPaths::append_backwards(VertexId from, VertexId to, std::vector<EdgeId>& edges) const {
  core_.append_backwards(from, to, edges, [&](VertexId source, VertexId destination, auto& path) {
    const EdgeId* last = &last_[core_.number(source) * vertices_];
    for (VertexId at = destination; at != source; at = edges_[path.back()].from) {
      const EdgeId edge = last[core_.number(at)];
      if (edge == no_edge) return false;
      path.push_back(edge);
    }
    return true;
  });
}

}  // namespace tutti::platforms
