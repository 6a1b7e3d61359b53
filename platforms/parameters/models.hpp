// SPDX-License-Identifier: BSD-3-Clause
// Derives the parameters of the analytic models from checked settings.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/parameters/values.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// Fills hockney, loggp and loggp_sets. All other fields of `machine` must be set: missing
// parameters are derived from the message protocol between its first two hosts.
void read_model_parameters(const Settings& settings, Machine& machine, ErrorList& errors);

// Parameters derived from the message protocol between two hosts: l and L from an empty message, b
// and G from a very large one; o is the mean of the overheads of a non-blocking send and a receive,
// g the gap of the protocol.
HockneyParameters derived_hockney(const Machine& machine, HostId from = 0, HostId to = 1);
LogGPParameters derived_loggp(const Machine& machine, HostId from = 0, HostId to = 1);
// The `set` of derived parameters.
inline constexpr const char* derived_set = "derived from the protocol";

}  // namespace tutti::platforms
