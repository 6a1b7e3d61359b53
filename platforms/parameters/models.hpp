// SPDX-License-Identifier: BSD-3-Clause
// From checked settings to the parameters of the analytic models.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/parameters/values.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// Fills hockney, loggp and loggp_sets. `machine` has everything else: what the file does not give
// is derived from the message protocol between its first two hosts.
void read_model_parameters(const Settings& settings, Machine& machine, ErrorList& errors);

// From the message protocol between two hosts, the first two if none are named: l, L of an empty
// message, b and G of a very large one, o the mean of a non-blocking send's overhead and a
// receive's, g the protocol's gap.
HockneyParameters derived_hockney(const Machine& machine, HostId from = 0, HostId to = 1);
LogGPParameters derived_loggp(const Machine& machine, HostId from = 0, HostId to = 1);
// The `set` of these.
inline constexpr const char* derived_set = "derived from the protocol";

}  // namespace tutti::platforms
