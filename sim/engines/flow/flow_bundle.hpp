// SPDX-License-Identifier: BSD-3-Clause
// A link that holds many classes gives all of them one rate, its level. When thousands of flows
// share one card, each start and end of one changes the level, and with it every rate: so the
// classes of such a link are kept as a crowd, whose level is one number. See README.md.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::engines {

using FlowBundleId = std::uint32_t;

// When classes become a crowd.
struct BundleRules {
  std::uint32_t least = 64;  // classes that a link holds
  // After crowds that were soon dissolved, so many chances to make one pass at most.
  std::uint32_t most_wait = 64;
};

struct FlowBundle {
  platforms::LinkId link = 0;
  double level = 0;          // the rate of every flow in it
  double ceiling = 0;        // what its members reserve for each flow on their other links
  double most = 0;           // no other class on the link gets more
  std::uint64_t flows = 0;   // on the link
  std::uint32_t served = 0;  // solves that it has spared
  bool in_use = false;
  bool touched = false;  // since the last solve
};

}  // namespace tutti::engines
