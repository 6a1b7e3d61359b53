// SPDX-License-Identifier: BSD-3-Clause
// A fitted protocol as the keys of a platform file (platforms/README.md). A machine that has them
// simulates the times that the fit predicts.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/protocol_fit.hpp"

namespace tutti::studies {

// What benchmarks of measured collectives call an algorithm.

// As `sim run` names it, or "auto" where Open MPI chose. Understood are our own names; those of
// HLC-Lab/pico (413bc5d0): NAME_ompi (Open MPI's), NAME_mpich, NAME_over (PICO's own, over
// messages), default-NAME (Fujitsu MPI's); and with hyphens for underscores. Nothing: an algorithm
// that Tutti does not have, or the choice of another library.
std::optional<std::string> algorithm_of_benchmark(std::string_view collective,
                                                  std::string_view name);

// PICO counts elements of so many bytes; 1 for all other names.
inline constexpr int pico_element_bytes = 4;
bool is_name_of_pico(std::string_view name);

// PICO's own programs, over messages (allreduce_rabenseifner_over, BINE-...-UTOFU-...): no library
// chooses what they do.
bool is_program_of_pico(std::string_view name);

// "MPI_Allreduce", "Allreduce" (IMB), "osu_allreduce", "allreduce" -> "allreduce".
std::string collective_of_benchmark(std::string_view name);

// Values of the cluster's attributes `bw` and `lat`; a message crosses so many links.
std::string network_bandwidth(const ProtocolFit& fit);
std::string link_latency(const ProtocolFit& fit, int links);

// mpi/eager_limit, mpi/send_overhead, ...
std::vector<platforms::GivenParameter> inter_parameters(const ProtocolFit& fit);

// mpi/intra_eager_limit, ... and the memory bus, whose bandwidth is `bus_Bps`, or where that is
// unset or too small for a single message, four times a message's.
std::vector<platforms::GivenParameter> intra_parameters(const ProtocolFit& fit,
                                                        std::optional<double> bus_Bps);

}  // namespace tutti::studies
