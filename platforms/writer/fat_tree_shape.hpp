// SPDX-License-Identifier: BSD-3-Clause
// Which switches a fat tree of so many nodes is built of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/result.hpp"

namespace tutti::platforms {

struct FatTreeRequest {
  std::int64_t nodes = 0;
  int levels = 2;
  int radix = 36;            // ports of a switch
  int oversubscription = 1;  // of the leaf switches: so many nodes for each cable upward
};

// Level by level from the nodes: SimGrid's topo_parameters.
struct FatTreeShape {
  std::vector<std::int64_t> down;    // of a switch of the level; their product is the nodes
  std::vector<std::int64_t> up;      // of what is below the level
  std::vector<std::int64_t> cables;  // side by side to each of those

  std::string parameters() const;  // "2;32,64;1,16;1,1"
};

// Leaf switches are as full as fits, and no switch has more ports than `radix`. Errors name the
// option, and sizes near the wanted one that do fit.
Result<FatTreeShape> shape_of(const FatTreeRequest& request);

}  // namespace tutti::platforms
