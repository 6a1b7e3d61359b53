// SPDX-License-Identifier: BSD-3-Clause
// sim store SUBCOMMAND: looks after stores of results.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"

namespace tutti::commands {

// The only argument: a store.
Result<std::string> store_argument(const OptionValues& parsed);

}  // namespace tutti::commands
