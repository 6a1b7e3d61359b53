// SPDX-License-Identifier: BSD-3-Clause
// Machines that differ from the real one in one respect: what would be, if a library or a network
// were so much quicker, or one thing cost nothing?
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

// Messages inside a node travel as those between nodes: out through a card and back.
Machine without_nodes(const Machine& machine);

// Every message is eager whatever its size, nothing is copied: no handshake, no registration of
// memory, no fragments, no credits, no copies on arrival nor by the programs themselves; a card is
// busy with a message for as long as the network. What LogGP has stays: latency, overheads, gaps,
// bandwidth.
Machine without_protocol(const Machine& machine);

}  // namespace tutti::platforms
