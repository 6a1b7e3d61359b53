// SPDX-License-Identifier: BSD-3-Clause
// The neighbours of each vertex of a Graph, side by side in memory, and what they connect.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "platforms/graph.hpp"

namespace tutti::platforms {

class Neighbours {
 public:
  enum class Direction : std::uint8_t { out, in, both };

  Neighbours(const Graph& graph, Direction direction);
  std::span<const std::uint32_t> of(std::uint32_t vertex) const {
    return {targets_.data() + starts_[vertex], targets_.data() + starts_[vertex + 1]};
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(starts_.size() - 1); }
  // Edges between each vertex and the nearest of `sources`; `unreachable` where there is no way.
  std::vector<std::uint32_t> distances(std::span<const std::uint32_t> sources) const;
  static constexpr std::uint32_t unreachable = UINT32_MAX;

 private:
  std::vector<std::uint64_t> starts_;
  std::vector<std::uint32_t> targets_;
};

// Two hosts of which the first has no way to the second; nothing if every host reaches every other.
std::optional<std::pair<std::uint32_t, std::uint32_t>> unconnected_hosts(const Graph& graph);

}  // namespace tutti::platforms
