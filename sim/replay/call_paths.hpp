// SPDX-License-Identifier: BSD-3-Clause
// Call paths of all ranks: a tree of regions, in which each path has a number.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

using PathId = std::uint32_t;
inline constexpr PathId root_path = 0;  // outside all regions

class CallPaths {
 public:
  PathId child(PathId parent, std::uint32_t region) {
    const std::uint64_t key = std::uint64_t{parent} << 32 | region;
    const auto [found, is_new] = children_.try_emplace(key, static_cast<PathId>(paths_.size()));
    if (is_new) paths_.push_back({parent, region});
    return found->second;
  }
  PathId parent(PathId path) const { return paths_[path].parent; }
  std::uint32_t region(PathId path) const { return paths_[path].region; }
  std::size_t size() const { return paths_.size(); }

  // "main/solve/MPI_Recv"
  std::string name(PathId path, const std::vector<workloads::traces::TraceRegion>& regions) const {
    if (path == root_path) return "";
    const std::string above = name(parent(path), regions);
    return above.empty() ? regions[region(path)].name : above + "/" + regions[region(path)].name;
  }

 private:
  struct Path {
    PathId parent;
    std::uint32_t region;
  };
  std::vector<Path> paths_{{root_path, workloads::traces::none}};
  std::unordered_map<std::uint64_t, PathId> children_;
};

}  // namespace tutti::studies::replay
