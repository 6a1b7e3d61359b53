// SPDX-License-Identifier: BSD-3-Clause
// A fitted protocol as the keys of a platform file (platforms/README.md). A machine with these keys
// simulates the times that the fit predicts.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/protocol_fit.hpp"

namespace tutti::studies {

// Names of algorithms in benchmarks of collectives.

// The name in `sim run`, or "auto" if Open MPI chose. Supported are Tutti's own names; those of
// HLC-Lab/pico (413bc5d0): NAME_ompi (Open MPI's), NAME_mpich, NAME_over (PICO's own, over
// messages), NAME_over_BYTES (the same in segments), default-NAME (Fujitsu MPI's); and names with
// hyphens for underscores. Empty: an
// algorithm that Tutti does not support, or the choice of another library.
std::optional<std::string> algorithm_of_benchmark(std::string_view collective,
                                                  std::string_view name);

// The segment size of NAME_over_BYTES.
std::optional<Bytes> segment_in_name(std::string_view name);

// Size of the elements that PICO counts, in bytes; 1 for all other names.
inline constexpr int pico_element_bytes = 4;
bool is_name_of_pico(std::string_view name);

// PICO's own programs, over messages (allreduce_rabenseifner_over, BINE-...-UTOFU-...): no library
// chooses their algorithm.
bool is_program_of_pico(std::string_view name);

// "MPI_Allreduce", "Allreduce" (IMB), "osu_allreduce", "allreduce" -> "allreduce".
std::string collective_of_benchmark(std::string_view name);

// Values of the cluster's attributes `bw` and `lat`, for messages that cross `links` links.
std::string network_bandwidth(const ProtocolFit& fit);
std::string link_latency(const ProtocolFit& fit, int links);

// mpi/eager_limit, mpi/send_overhead, ...
std::vector<platforms::GivenParameter> inter_parameters(const ProtocolFit& fit);

// mpi/intra_eager_limit, ... and the memory bus. Its bandwidth is `bus_Bps`, or, if that is unset
// or too small for a single message, four times the bandwidth of a message.
std::vector<platforms::GivenParameter> intra_parameters(const ProtocolFit& fit,
                                                        std::optional<double> bus_Bps);

// A value with half of the 95 % interval of its logarithm, with and without the times. Its status
// is fitted, uncertain, prior, or assumed if many values fit.
FittedParameter reported_by_times(std::string name, std::string unit, double value, double half,
                                  double prior_half);

}  // namespace tutti::studies
