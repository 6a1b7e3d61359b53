// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/zones/paths.hpp"

#include "platforms/topologies/zones/dijkstra_paths.hpp"

namespace tutti::platforms {
namespace {

// Routing Full: every path is one edge.
class FullPaths : public Paths {
 public:
  explicit FullPaths(const ZoneSpec& zone);
  void append_backwards(VertexId from, VertexId to, std::vector<EdgeId>& edges) const override;

 private:
  struct Target {
    VertexId to = 0;
    EdgeId edge = 0;
  };
  std::vector<std::uint32_t> first_;  // by vertex: where its targets begin; one extra entry
  std::vector<Target> targets_;       // ascending per vertex
};

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
  // If all other vertices are targets, no search is needed.
  const VertexId guess = to - (to > from ? 1 : 0);
  if (guess < end - begin && begin[guess].to == to) return edges.push_back(begin[guess].edge);
  const auto found = std::lower_bound(
      begin, end, to, [](const Target& target, VertexId wanted) { return target.to < wanted; });
  if (found != end && found->to == to) edges.push_back(found->edge);
}

}  // namespace

std::unique_ptr<const Paths> make_paths(const ZoneSpec& zone) {
  switch (zone.routing) {
    case ZoneRouting::full:
      return std::make_unique<FullPaths>(zone);
    case ZoneRouting::floyd:
      return std::make_unique<FloydPaths>(zone);
    case ZoneRouting::dijkstra:
      return std::make_unique<DijkstraPaths>(zone);
    default:
      return nullptr;
  }
}

}  // namespace tutti::platforms
