// SPDX-License-Identifier: BSD-3-Clause
// The vertices of a zone without its pendants. A pendant has a single neighbour, with one edge to
// it and one from it, like most hosts: each path from or to it begins or ends with that edge, and
// no path leads through it. Tables of shortest paths therefore grow with the network of routers,
// not with the number of hosts.
#pragma once

#include "platforms/topologies/zones/paths.hpp"

namespace tutti::platforms {

class Core {
 public:
  // Keeps a reference to zone.edges.
  explicit Core(const ZoneSpec& zone);

  // Number of vertices that are not pendants; they are numbered 0 to size() - 1 in their order.
  VertexId size() const { return size_; }
  VertexId number(VertexId vertex) const { return numbers_[vertex]; }
  // The edges between these vertices, in file order, without self-loops.
  const std::vector<EdgeId>& edges() const { return inner_; }

  // Implements Paths::append_backwards; `between(a, b, edges)` does the same for two vertices that
  // are not pendants and returns false if there is no path.
  template <class Between>
  void append_backwards(VertexId from, VertexId to, std::vector<EdgeId>& edges,
                        const Between& between) const {
    if (from == to) return append_if(self_[from], edges);
    const EdgeId first = leave_[from];
    const VertexId source = first == no_edge ? from : edges_[first].to;
    if (source == to) return edges.push_back(first);
    const auto begin = edges.size();
    const EdgeId last = enter_[to];
    append_if(last, edges);
    const VertexId destination = last == no_edge ? to : edges_[last].from;
    if (destination == from) return;
    if (source != destination &&
        (is_pendant(source) || is_pendant(destination) || !between(source, destination, edges)))
      return edges.resize(begin);
    append_if(first, edges);
  }

 private:
  static void append_if(EdgeId edge, std::vector<EdgeId>& edges) {
    if (edge != no_edge) edges.push_back(edge);
  }
  bool is_pendant(VertexId vertex) const { return leave_[vertex] != no_edge; }
  void find_pendants(const ZoneSpec& zone);

  const std::vector<ZoneEdge>& edges_;
  VertexId size_ = 0;
  std::vector<EdgeId> leave_;  // by vertex: a pendant's edge to its neighbour, else no_edge
  std::vector<EdgeId> enter_;  // a pendant's edge from its neighbour
  std::vector<EdgeId> self_;   // the file's route from the vertex to itself
  std::vector<VertexId> numbers_;
  std::vector<EdgeId> inner_;
};

}  // namespace tutti::platforms
