// SPDX-License-Identifier: BSD-3-Clause
// Routes inside one zone, found by hand.
#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "platforms/topologies/zones/core.hpp"
#include "platforms/topologies/zones/dijkstra_paths.hpp"

using namespace tutti::platforms;

namespace {

struct Way {
  VertexId from;
  VertexId to;
  std::uint32_t links;
};

// Edges in both directions.
ZoneSpec zone_of(VertexId vertices, const std::vector<Way>& ways, ZoneRouting routing) {
  ZoneSpec zone;
  zone.routing = routing;
  zone.vertex_count = vertices;
  for (const auto& [from, to, links] : ways)
    for (const bool back : {false, true}) {
      ZoneEdge edge;
      edge.from = back ? to : from;
      edge.to = back ? from : to;
      edge.links.count = links;
      zone.edges.push_back(edge);
    }
  return zone;
}

std::vector<VertexId> vertices_of(const ZoneSpec& zone, const Paths& paths, VertexId from,
                                  VertexId to) {
  std::vector<EdgeId> edges;
  paths.append_backwards(from, to, edges);
  std::vector<VertexId> vertices;
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge)
    vertices.push_back(zone.edges[*edge].to);
  return vertices;
}

// 0 and 5 are pendants; 1 to 4 are a square with two paths of two links between 1 and 4.
const std::vector<Way> square = {{0, 1, 1}, {1, 3, 1}, {1, 2, 1}, {2, 4, 1}, {3, 4, 1}, {4, 5, 1}};

}  // namespace

TEST_CASE("of two equally short paths Floyd takes the one over the lower vertex") {
  const auto zone = zone_of(6, square, ZoneRouting::floyd);
  const FloydPaths paths(zone);
  CHECK(vertices_of(zone, paths, 0, 5) == std::vector<VertexId>{1, 2, 4, 5});
  CHECK(vertices_of(zone, paths, 5, 0) == std::vector<VertexId>{4, 2, 1, 0});
  CHECK(vertices_of(zone, paths, 3, 0) == std::vector<VertexId>{1, 0});
  CHECK(vertices_of(zone, paths, 2, 2).empty());
}

TEST_CASE("of two equally short paths Dijkstra takes the one over the vertex named first") {
  const auto zone = zone_of(6, square, ZoneRouting::dijkstra);
  const DijkstraPaths paths(zone);
  CHECK(vertices_of(zone, paths, 0, 5) == std::vector<VertexId>{1, 3, 4, 5});
  CHECK(vertices_of(zone, paths, 5, 0) == std::vector<VertexId>{4, 3, 1, 0});
}

TEST_CASE("the length of a path is its number of links") {
  auto ways = square;
  ways.push_back({1, 4, 3});  // one edge, three links
  for (const auto routing : {ZoneRouting::floyd, ZoneRouting::dijkstra}) {
    auto zone = zone_of(6, ways, routing);
    CHECK(vertices_of(zone, *make_paths(zone), 1, 4).size() == 2);
    for (auto edge = zone.edges.end() - 2; edge != zone.edges.end(); ++edge) edge->links.count = 1;
    CHECK(vertices_of(zone, *make_paths(zone), 1, 4).size() == 1);
  }
}

TEST_CASE("pendants take no memory in the tables of shortest paths") {
  CHECK(Core(zone_of(6, square, ZoneRouting::floyd)).size() == 4);
  CHECK(Core(zone_of(2, {{0, 1, 1}}, ZoneRouting::floyd)).size() == 0);
  const auto pair = zone_of(2, {{0, 1, 1}}, ZoneRouting::dijkstra);
  CHECK(vertices_of(pair, *make_paths(pair), 0, 1) == std::vector<VertexId>{1});
}

TEST_CASE("vertices without connecting edges have no path") {
  for (const auto routing : {ZoneRouting::floyd, ZoneRouting::dijkstra, ZoneRouting::full}) {
    const auto zone = zone_of(7, {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}, {3, 4, 1}, {2, 5, 1}}, routing);
    const auto paths = make_paths(zone);
    for (const VertexId lost : {3, 4, 6}) {
      CHECK(vertices_of(zone, *paths, 0, lost).empty());
      CHECK(vertices_of(zone, *paths, lost, 0).empty());
      CHECK(vertices_of(zone, *paths, 5, lost).empty());
    }
  }
}

TEST_CASE("paths are the same from several threads with memory for one tree") {
  std::vector<Way> ways;
  for (VertexId i = 0; i < 40; ++i) ways.push_back({i, (i + 1) % 40, 1});
  for (VertexId i = 0; i < 20; ++i) ways.push_back({i, i + 20, 1});
  const auto zone = zone_of(40, ways, ZoneRouting::dijkstra);
  const DijkstraPaths roomy(zone);
  const DijkstraPaths tight(zone, 0);
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      for (VertexId from = 0; from < 40; ++from)
        for (VertexId to = 0; to < 40; ++to)
          if (vertices_of(zone, roomy, from, to) != vertices_of(zone, tight, from, to)) ++wrong[t];
    });
  for (auto& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
}
