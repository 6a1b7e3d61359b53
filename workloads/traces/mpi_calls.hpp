// SPDX-License-Identifier: BSD-3-Clause
// The kinds of MPI calls, by the names of their regions.
#pragma once

#include <cstdint>
#include <string_view>

namespace tutti::workloads::traces {

enum class MpiCall : std::uint8_t {
  other,
  init_exit,
  communicator,  // creation and release of communicators, groups and topologies
  barrier,
  point_to_point,  // including waits and tests for requests
  one_to_all,
  all_to_one,
  all_to_all,
  one_sided,          // transfers
  window_management,  // creation and release of windows, and their attributes
  window,             // one-sided synchronization
  file
};

// `region`: "MPI_Allreduce", "MPI_Ibcast", "mpi_send_"; case is ignored. `other` if the name does
// not begin with "MPI_".
MpiCall mpi_call(std::string_view region);

}  // namespace tutti::workloads::traces
