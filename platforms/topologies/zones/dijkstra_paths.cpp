// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/zones/dijkstra_paths.hpp"

#include <algorithm>
#include <boost/graph/dijkstra_shortest_paths.hpp>

namespace tutti::platforms {

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
  auto grown = grow(source);  // without the lock: two threads may grow the same tree
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
