// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/zones/core.hpp"

namespace tutti::platforms {

Core::Core(const ZoneSpec& zone)
    : edges_(zone.edges),
      leave_(zone.vertex_count, no_edge),
      enter_(zone.vertex_count, no_edge),
      self_(zone.vertex_count, no_edge),
      numbers_(zone.vertex_count) {
  find_pendants(zone);
  for (VertexId vertex = 0; vertex < zone.vertex_count; ++vertex) {
    numbers_[vertex] = size_;
    if (!is_pendant(vertex)) ++size_;
  }
  for (EdgeId id = 0; id < edges_.size(); ++id) {
    const auto& [from, to, exit, entry, links] = edges_[id];
    if (from != to && !is_pendant(from) && !is_pendant(to)) inner_.push_back(id);
  }
}

void Core::find_pendants(const ZoneSpec& zone) {
  std::vector<std::uint32_t> leaving(zone.vertex_count, 0);
  std::vector<std::uint32_t> entering(zone.vertex_count, 0);
  for (EdgeId id = 0; id < edges_.size(); ++id) {
    const auto& [from, to, exit, entry, links] = edges_[id];
    if (from == to) {
      self_[from] = id;
      continue;
    }
    ++leaving[from];
    ++entering[to];
    leave_[from] = enter_[to] = id;
  }
  for (VertexId vertex = 0; vertex < zone.vertex_count; ++vertex) {
    const bool pendant = leaving[vertex] == 1 && entering[vertex] == 1 &&
                         edges_[leave_[vertex]].to == edges_[enter_[vertex]].from;
    if (!pendant) leave_[vertex] = enter_[vertex] = no_edge;
  }
}

}  // namespace tutti::platforms
