// SPDX-License-Identifier: BSD-3-Clause
// sim store SUBCOMMAND: inspects and maintains stores of results.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"

namespace tutti::commands {

extern const Subcommand store_export;  // sim store export, sim export

// The path of a store. It must be the only argument.
Result<std::string> store_argument(const OptionValues& parsed);

}  // namespace tutti::commands
