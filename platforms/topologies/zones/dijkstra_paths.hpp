// SPDX-License-Identifier: BSD-3-Clause
// Routing Dijkstra: paths with the fewest links, computed for one source at a time and cached for
// the most recently used sources. Among paths of equal length it selects the same as SimGrid: the
// last step starts at the vertex nearest to the source; if there are several, at the one that the
// routes of the file name first.
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <deque>
#include <mutex>

#include "platforms/topologies/zones/core.hpp"

namespace tutti::platforms {

// Routing Floyd: paths with the fewest links, by the Floyd-Warshall algorithm. Among paths of equal
// length it selects the same as SimGrid: a later intermediate vertex must be strictly better.

class FloydPaths : public Paths {
 public:
  static constexpr VertexId most_vertices = 2048;  // without pendants; n^3 steps take some seconds

  explicit FloydPaths(const ZoneSpec& zone);
  void append_backwards(VertexId from, VertexId to, std::vector<EdgeId>& edges) const override;

 private:
  const std::vector<ZoneEdge>& edges_;
  Core core_;
  std::size_t vertices_;      // of the core
  std::vector<EdgeId> last_;  // of the path from a to b, at a * vertices + b; no_edge: no path
};

class DijkstraPaths : public Paths {
 public:
  static constexpr std::size_t default_memory_bytes = std::size_t{256} << 20;

  // At least one source is cached, regardless of `memory_bytes`.
  explicit DijkstraPaths(const ZoneSpec& zone, std::size_t memory_bytes = default_memory_bytes);
  void append_backwards(VertexId from, VertexId to, std::vector<EdgeId>& edges) const override;

 private:
  // By vertex of the core: the last edge of the path from the source; no_edge: no path.
  using Tree = std::vector<EdgeId>;
  struct Length {
    std::uint64_t links = 0;
  };
  using Network =
      boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Length,
                                         boost::no_property, std::uint32_t, std::uint32_t>;

  Network network() const;
  void order_vertices(std::size_t vertices);
  std::shared_ptr<const Tree> tree(VertexId source) const;  // vertex number of the core
  std::shared_ptr<const Tree> grow(VertexId source) const;

  const std::vector<ZoneEdge>& edges_;
  Core core_;
  std::size_t most_kept_;
  Network network_;
  std::vector<std::uint32_t> mentioned_;  // by vertex: its position in the order of the routes

  mutable std::mutex guard_;
  mutable std::vector<std::shared_ptr<const Tree>> trees_;
  mutable std::deque<VertexId> kept_;
};

}  // namespace tutti::platforms
