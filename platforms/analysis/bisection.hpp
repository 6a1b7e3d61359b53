// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "platforms/machine.hpp"

namespace tutti::platforms {

// Bytes per second from the lower half of the hosts (by number) to the upper one, over all ways of
// the network: a maximum flow. Infinite where only links without a limit lie between. Nothing for a
// network of more than 200,000 pairs of joined switches, and for a single host.
std::optional<double> bisection_Bps(const Topology& topology, const Graph& graph);

}  // namespace tutti::platforms
