// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/zones/dijkstra_paths.hpp"

#include <boost/graph/dijkstra_shortest_paths.hpp>

#include "sim/base/common.hpp"

namespace tutti::platforms {
namespace {

using Cost = std::uint32_t;
constexpr Cost unreachable = 1U << 30;  // twice this value still fits a Cost

// Sets each entry of `row` to the minimum of itself and the path over the intermediate vertex.
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

DijkstraPaths::DijkstraPaths(const ZoneSpec& zone, std::size_t memory_bytes)
    : edges_(zone.edges),
      core_(zone),
      most_kept_(std::max<std::size_t>(
          memory_bytes / (sizeof(EdgeId) * std::max<std::size_t>(core_.size(), 1)), 1)),
      network_(network()),
      trees_(core_.size()) {
  order_vertices(zone.vertex_count);
}

DijkstraPaths::Network DijkstraPaths::network() const {
  std::vector<std::pair<VertexId, VertexId>> ends;
  std::vector<Length> lengths;
  for (const EdgeId id : core_.edges()) {
    ends.emplace_back(core_.number(edges_[id].from), core_.number(edges_[id].to));
    lengths.push_back({edges_[id].links.count});
  }
  return {boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), lengths.begin(),
          core_.size()};
}

void DijkstraPaths::order_vertices(std::size_t vertices) {
  constexpr auto never = std::numeric_limits<std::uint32_t>::max();
  mentioned_.assign(vertices, never);
  std::uint32_t next = 0;
  for (const ZoneEdge& edge : edges_)
    for (const VertexId vertex : {edge.from, edge.to})
      if (mentioned_[vertex] == never) mentioned_[vertex] = next++;
}

std::shared_ptr<const DijkstraPaths::Tree> DijkstraPaths::grow(VertexId source) const {
  constexpr auto far = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> links_to(core_.size(), far);
  boost::dijkstra_shortest_paths(
      network_, source,
      boost::weight_map(boost::get(&Length::links, network_))
          .distance_map(boost::make_iterator_property_map(
              links_to.begin(), boost::get(boost::vertex_index, network_)))
          .distance_inf(far));
  auto last = std::make_shared<Tree>(core_.size(), no_edge);
  const auto begins = [&](EdgeId id) {
    const VertexId from = edges_[id].from;
    return std::pair(links_to[core_.number(from)], mentioned_[from]);
  };
  for (const EdgeId id : core_.edges()) {
    const auto before = links_to[core_.number(edges_[id].from)];
    const VertexId to = core_.number(edges_[id].to);
    if (to == source || before == far || before + edges_[id].links.count != links_to[to]) continue;
    EdgeId& best = (*last)[to];
    if (best == no_edge || begins(id) < begins(best)) best = id;
  }
  return last;
}

std::shared_ptr<const DijkstraPaths::Tree> DijkstraPaths::tree(VertexId source) const {
  {
    const std::lock_guard lock(guard_);
    if (trees_[source]) return trees_[source];
  }
  auto grown = grow(source);  // without the lock: two threads may compute the same tree
  const std::lock_guard lock(guard_);
  if (trees_[source]) return trees_[source];
  if (kept_.size() == most_kept_) {
    trees_[kept_.front()] = nullptr;
    kept_.pop_front();
  }
  kept_.push_back(source);
  return trees_[source] = std::move(grown);
}

void DijkstraPaths::append_backwards(VertexId from, VertexId to, std::vector<EdgeId>& edges) const {
  core_.append_backwards(from, to, edges, [&](VertexId source, VertexId destination, auto& path) {
    const auto last = tree(core_.number(source));
    for (VertexId at = destination; at != source; at = edges_[path.back()].from) {
      const EdgeId edge = (*last)[core_.number(at)];
      if (edge == no_edge) return false;
      path.push_back(edge);
    }
    return true;
  });
}

}  // namespace tutti::platforms
