// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/zones/full_paths.hpp"

#include <algorithm>
#include <numeric>

namespace tutti::platforms {

FullPaths::FullPaths(const ZoneSpec& zone) : first_(zone.vertex_count + 1) {
  std::vector<EdgeId> order(zone.edges.size());
  std::iota(order.begin(), order.end(), EdgeId{0});
  std::sort(order.begin(), order.end(), [&](EdgeId a, EdgeId b) {
    return std::pair(zone.edges[a].from, zone.edges[a].to) <
           std::pair(zone.edges[b].from, zone.edges[b].to);
  });
  targets_.reserve(order.size());
  for (const EdgeId edge : order) {
    ++first_[zone.edges[edge].from + 1];
    targets_.push_back({zone.edges[edge].to, edge});
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
}

void FullPaths::append_backwards(VertexId from, VertexId to, std::vector<EdgeId>& edges) const {
  const auto begin = targets_.begin() + first_[from];
  const auto end = targets_.begin() + first_[from + 1];
  // Where all others are targets, no search is needed.
  const VertexId guess = to - (to > from ? 1 : 0);
  if (guess < end - begin && begin[guess].to == to) return edges.push_back(begin[guess].edge);
  const auto found = std::lower_bound(
      begin, end, to, [](const Target& target, VertexId wanted) { return target.to < wanted; });
  if (found != end && found->to == to) edges.push_back(found->edge);
}

}  // namespace tutti::platforms
