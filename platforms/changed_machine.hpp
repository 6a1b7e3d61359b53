// SPDX-License-Identifier: BSD-3-Clause
// What-if machines: copies of a machine with scaled times, or without one cost.
#pragma once

#include "platforms/machine.hpp"

namespace tutti::platforms {

// Factors above 0 for the times of messages over the network; 1 means unchanged. The memory bus is
// not scaled.
struct TimeScale {
  double overheads = 1;  // of the processors: sends, receives, gap between messages
  double latencies = 1;  // of the links
  double bytes = 1;      // per byte: links, gap per byte, copies on arrival
};
Machine scaled(const Machine& machine, const TimeScale& scale);

// Messages inside a node travel like those between nodes: out through the NIC and back.
Machine without_nodes(const Machine& machine);

// Every message is eager regardless of its size, and copies are free: no handshake, no memory
// registration, no fragments, no credits, no copies on arrival or by the programs. A NIC is busy
// with a message as long as the network is. The costs of LogGP remain: latency, overheads, gaps,
// bandwidth.
Machine without_protocol(const Machine& machine);

}  // namespace tutti::platforms
