// SPDX-License-Identifier: BSD-3-Clause
// Copies of a machine: hypothetical ones with slower links, or without one cost, and one with the
// memory that a call sees.
#pragma once

#include "platforms/machine.hpp"

namespace tutti::platforms {

// Multiplies the times per byte of messages over the network (links, gap per byte, copies on
// arrival) by a factor above 0. The memory bus does not change.
Machine with_scaled_bytes(const Machine& machine, double factor);

// Each message takes one path: no routing divides it, and no stripes. Without contention the paths
// do not matter.
Machine with_single_paths(const Machine& machine);

// Messages inside a node travel like those between nodes: out through the NIC and back.
Machine without_nodes(const Machine& machine);

// Every message is eager regardless of its size, and copies are free: no handshake, no memory
// registration, no fragments, no credits, no copies on arrival or by the programs. A NIC is busy
// with a message as long as the network is. The costs of LogGP remain: latency, overheads, gaps,
// bandwidth.
Machine without_protocol(const Machine& machine);

// The machine in which a rank is a GPU and messages are those of NCCL: they are sent at once and
// cost no time of a processor; kernels combine and copy while they move data. The n-th rank of a
// node is its n-th GPU. `machine.devices` must be set.
Machine for_devices(const Machine& machine, DeviceProtocol protocol);

// What a call does to the memory of each node.
struct NodeLoad {
  Bytes working_set_bytes = 0;  // that the ranks of the node read and write
  int busy_ranks = 1;           // ranks of the node that combine and copy at the same time
};

// The machine for calls with this load: the bus has the bandwidth of the working set, and each
// byte that a rank combines (two read, one written), copies (read and written) or clears in a new
// page (written) waits for those of the other busy ranks in memory: 1 / rate + (ranks - 1) x moved
// / memory_Bps. Null: the machine itself.
std::unique_ptr<const Machine> for_call_on_nodes(const Machine& machine, const NodeLoad& load);

}  // namespace tutti::platforms
