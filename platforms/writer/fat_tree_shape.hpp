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
  std::int64_t levels = 2;
  std::int64_t radix = 36;      // ports of a switch
  double oversubscription = 1;  // of the leaf switches: so many nodes for each cable upward
};

// Level by level from the nodes: SimGrid's topo_parameters.
struct FatTreePlan {
  std::vector<std::int64_t> down;    // of a switch of the level; their product is the nodes
  std::vector<std::int64_t> up;      // of what is below the level
  std::vector<std::int64_t> cables;  // side by side to each of those

  std::string parameters() const;  // "2;32,64;1,16;1,1"
  // Of the leaf switches; there is more than one level.
  double oversubscription() const {
    return static_cast<double>(down[0]) / static_cast<double>(up[1] * cables[1]);
  }
};

// Leaf switches are as full as fits, and no switch has more ports than `radix`; the
// oversubscription is the nearest to the wanted one that whole cables give. Errors name the
// option, and sizes near the wanted one that do fit.
Result<FatTreePlan> shape_of(const FatTreeRequest& request);

}  // namespace tutti::platforms
