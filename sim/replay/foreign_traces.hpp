// SPDX-License-Identifier: BSD-3-Clause
// Files that users may take for a trace that can be replayed.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies::replay {

// An error that names the format of the file and the way to a trace that can be replayed; nothing
// if the file is of no known format, or does not exist.
std::optional<Error> foreign_trace(const std::string& path);

}  // namespace tutti::studies::replay
