// SPDX-License-Identifier: BSD-3-Clause
// Machines whose messages take a multiple of the time in one respect or another: what would be, if
// a library or a network were so much quicker?
#pragma once

#include "platforms/machine.hpp"

namespace tutti::platforms {

// Factors of time, above 0; 1 leaves it as it is. Of messages over the network; the memory bus
// stays.
struct TimeScale {
  double overheads = 1;  // of the processors: sends, receives, the gap between messages
  double latencies = 1;  // of the links
  double bytes = 1;      // of each byte: links, gap per byte, copies on arrival
};
Machine scaled(const Machine& machine, const TimeScale& scale);

}  // namespace tutti::platforms
