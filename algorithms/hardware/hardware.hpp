// SPDX-License-Identifier: BSD-3-Clause
// Collectives in network hardware (as in BlueGene), among all ranks of the job, on machines that
// declare them (mpi/hardware_collectives). They have no messages and no cost in the message models.
// The result is available mpi/hardware_latency + bytes / mpi/hardware_bandwidth (barrier:
// mpi/hardware_barrier) after the arrival of the last rank that it depends on.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::hardware {

inline constexpr std::string_view name = "hardware";

// Whether the machine's network supports the collective.
bool is_there(const platforms::Machine& machine, std::string_view collective);

}  // namespace tutti::algorithms::hardware
