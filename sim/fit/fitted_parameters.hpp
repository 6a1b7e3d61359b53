// SPDX-License-Identifier: BSD-3-Clause
// A fitted protocol as the keys of a platform file (platforms/README.md). A machine with these keys
// simulates the times that the fit predicts.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/protocol_fit.hpp"

namespace tutti::studies {

// Translates the name of an algorithm in a benchmark of collectives to its name in `sim run`, or to
// "auto" if Open MPI chose. It knows Tutti's own names and the names of HLC-Lab/pico (413bc5d0):
// NAME_ompi (Open MPI's), NAME_mpich, NAME_over (PICO's own, over messages), NAME_over_BYTES (the
// same in segments), default-NAME (Fujitsu MPI's), with hyphens or underscores. The result is unset
// for an algorithm that Tutti does not support, and for the choice of another library.
std::optional<std::string> algorithm_of_benchmark(std::string_view collective,
                                                  std::string_view name);

// Whether it is the name of one of PICO's programs in segments without their size. The size of
// March 2025 was one block: allreduces of 512 and of 2,048 processes take as long as simulated so,
// 20 to 60 times as long as in one segment. That of June was the whole vector.
bool leaves_segment_open(std::string_view name);

// Returns the segment size of NAME_over_BYTES, in bytes; unset for all other names.
std::optional<Bytes> segment_in_name(std::string_view name);

// Size in bytes of the elements that PICO counts.
inline constexpr int pico_element_bytes = 4;
bool is_name_of_pico(std::string_view name);

// Whether the name is one of PICO's own programs over messages (allreduce_rabenseifner_over,
// BINE-...-UTOFU-...), whose algorithm no library chooses.
bool is_program_of_pico(std::string_view name);

// Whether the name represents the choice of a library whose rules Tutti does not have.
bool is_unknown_choice(std::string_view name);

// Returns the --algorithm that chooses as the library "OMPI 4.1.6" or "MPICH 4.0.3" does, or "auto"
// if the name is empty; empty for a library whose rules Tutti does not have.
std::string rules_of_library(std::string_view library);

// Returns "allreduce" for "MPI_Allreduce", "Allreduce" (IMB), "osu_allreduce" and "allreduce".
std::string collective_of_benchmark(std::string_view name);

// Return the values of the cluster's attributes `bw` and `lat`, for messages that cross this number
// of links.
std::string network_bandwidth(const ProtocolFit& fit);
std::string link_latency(const ProtocolFit& fit, int links);

// Returns the keys of messages between nodes: mpi/eager_limit, mpi/send_overhead, ...
std::vector<platforms::GivenParameter> inter_parameters(const ProtocolFit& fit);

// Returns the keys of messages inside a node (mpi/intra_eager_limit, ...) and of the memory bus.
// The bus has the bandwidth `bus_Bps` or, if that is unset or too small for a single message, four
// times the bandwidth of a message.
std::vector<platforms::GivenParameter> intra_parameters(const ProtocolFit& fit,
                                                        std::optional<double> bus_Bps);

// Describes a value by half of the 95 % interval of its logarithm, with and without the times. Its
// status is fitted, uncertain, prior, or assumed if many values fit.
FittedParameter reported_by_times(std::string name, std::string unit, double value, double half,
                                  double prior_half);

}  // namespace tutti::studies
