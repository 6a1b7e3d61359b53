// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "platforms/reader.hpp"
#include "sim/commands/options.hpp"

namespace tutti::commands {

// All --set KEY=VALUE, in order.
Result<std::vector<platforms::Override>> read_overrides(const Parsed& parsed);

}  // namespace tutti::commands
