// SPDX-License-Identifier: BSD-3-Clause
// The cables of a machine as its picture shows them: one line for all between two vertices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/machine.hpp"

namespace tutti::reports {

// What a line of the legend stands for.
struct CableKind {
  platforms::Link link;
  bool one_for_both_ways = false;  // both directions share the bandwidth
  int parallel = 1;                // cables side by side between two vertices
  std::size_t lines = 0;           // pairs of vertices that are joined so
};

// All cables between two vertices of one kind.
struct CableLine {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::size_t kind = 0;  // index of `kinds`
  std::size_t edge = 0;  // one of its edges in the graph
};

struct PictureCables {
  std::vector<CableKind> kinds;  // as they first appear
  std::vector<CableLine> lines;
};

// A cable with a link for each direction is two edges of the graph, and one here.
PictureCables picture_cables(const platforms::Topology& topology, const platforms::Graph& graph);

// "12.5 GB/s, 100 ns, x8 (8 parallel cables)".
std::string describe(const CableKind& kind);

}  // namespace tutti::reports
