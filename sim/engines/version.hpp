// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/base/common.hpp"

namespace tutti::engines {

// Of the SimGrid that Tutti was built for: "3.32". Does not load it.
std::string simgrid_version();

}  // namespace tutti::engines
