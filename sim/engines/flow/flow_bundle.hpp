// SPDX-License-Identifier: BSD-3-Clause
// A link that is the bottleneck of many classes gives all of them the same rate, its level. When
// thousands of flows share one NIC, each start and end changes the level, and thus every rate.
// Therefore the classes of such a link form a bundle, whose level is one number. See README.md.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::engines {

using FlowBundleId = std::uint32_t;

// When classes form a bundle.
struct BundleRules {
  std::uint32_t least = 64;  // minimum number of classes with the link as bottleneck
  // Maximum number of opportunities that are skipped after bundles that were soon dissolved.
  std::uint32_t most_wait = 64;
};

struct FlowBundle {
  platforms::LinkId link = 0;
  double level = 0;          // the rate of every flow of the bundle, in B/s
  double ceiling = 0;        // rate that members reserve per flow on their other links, in B/s
  double most = 0;           // upper bound of the rates of other classes on the link, in B/s
  std::uint64_t flows = 0;   // number of flows of the bundle
  std::uint32_t served = 0;  // number of solves that it has saved
  std::int64_t renewed = 0;  // the last solve that renewed the reservations for a member
  bool in_use = false;
  bool touched = false;  // changed since the last solve
};

}  // namespace tutti::engines
