// SPDX-License-Identifier: BSD-3-Clause
// Which rank runs on which node.
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.hpp"
#include "sim/base/result.hpp"

namespace tutti::platforms {

enum class MapPolicy {
  block,        // fill a node, then the next
  round_robin,  // deal the ranks over the nodes in use
  file          // rank,node lines with a header
};

struct PlacementRequest {
  int procs = 0;
  std::optional<int> ppn;  // unset: the machine's default, else all cores of a node
  MapPolicy policy = MapPolicy::block;
  std::string file;            // of MapPolicy::file
  bool oversubscribe = false;  // allow more ranks than cores
};

struct Placement {
  std::vector<HostId> host_of;  // by rank
  int nodes = 0;                // nodes in use
  int ppn = 0;                  // most ranks on one node
};

// Errors name the option (--procs, --ppn, --map) or the map file's line.
Result<Placement> place(const Machine& machine, const PlacementRequest& request);

}  // namespace tutti::platforms
