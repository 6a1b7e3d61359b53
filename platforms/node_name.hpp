// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// A node as people write it: a host's name or its number (from 0); a name wins. The error has no
// place.
Result<HostId> find_node(const Machine& machine, std::string_view text);

}  // namespace tutti::platforms
