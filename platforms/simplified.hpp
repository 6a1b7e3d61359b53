// SPDX-License-Identifier: BSD-3-Clause
// Machines with one thing less than the real one, to see what that one costs.
#pragma once

#include "platforms/machine.hpp"

namespace tutti::platforms {

// Messages inside a node travel as those between nodes: out through a card and back.
Machine without_nodes(const Machine& machine);

// Every message is eager whatever its size, nothing is copied: no handshake, no registration of
// memory, no fragments, no credits, no copies on arrival nor by the programs themselves; a card is
// busy with a message for as long as the network. What LogGP has stays: latency, overheads, gaps,
// bandwidth.
Machine without_protocol(const Machine& machine);

}  // namespace tutti::platforms
