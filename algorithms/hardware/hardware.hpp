// SPDX-License-Identifier: BSD-3-Clause
// Collectives that the network does by itself (BlueGene's), among all ranks of the job; on machines
// that declare them (mpi/hardware_collectives). No messages, and no cost in models of messages: the
// result is there mpi/hardware_latency plus the bytes over mpi/hardware_bandwidth (a barrier's:
// mpi/hardware_barrier) after the last rank that it depends on has come.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::hardware {

inline constexpr std::string_view name = "hardware";

// Whether the machine's network does it.
bool is_there(const platforms::Machine& machine, std::string_view collective);

extern const Algorithm bcast;
extern const Algorithm reduce;
extern const Algorithm allreduce;
extern const Algorithm barrier;

}  // namespace tutti::algorithms::hardware
