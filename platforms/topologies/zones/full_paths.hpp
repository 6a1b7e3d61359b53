// SPDX-License-Identifier: BSD-3-Clause
// Routing Full: every path is one edge.
#pragma once

#include "platforms/topologies/zones/paths.hpp"

namespace tutti::platforms {

class FullPaths : public Paths {
 public:
  explicit FullPaths(const ZoneSpec& zone);
  void append_backwards(VertexId from, VertexId to, std::vector<EdgeId>& edges) const override;

 private:
  struct Target {
    VertexId to = 0;
    EdgeId edge = 0;
  };
  std::vector<std::uint32_t> first_;  // by vertex, and one more: where its targets begin
  std::vector<Target> targets_;       // of each vertex ascending
};

}  // namespace tutti::platforms
