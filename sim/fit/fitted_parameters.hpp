// SPDX-License-Identifier: BSD-3-Clause
// A fitted protocol as the keys of a platform file (platforms/README.md). A machine that has them
// simulates the times that the fit predicts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platforms/machine.hpp"
#include "sim/fit/protocol_fit.hpp"

namespace tutti::studies {

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
