// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace tutti::engines {

// Of the SimGrid library in use: "3.32".
std::string simgrid_version();

}  // namespace tutti::engines
