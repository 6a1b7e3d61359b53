// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <utility>

#include "platforms/graph.hpp"

namespace tutti::platforms {

// Two hosts of which the first has no way to the second; nothing if every host reaches every other.
std::optional<std::pair<std::uint32_t, std::uint32_t>> unconnected_hosts(const Graph& graph);

}  // namespace tutti::platforms
