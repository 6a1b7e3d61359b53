// SPDX-License-Identifier: BSD-3-Clause
// sim store SUBCOMMAND: looks after stores of results.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"

namespace tutti::commands {

// The only argument: a store.
extern const Subcommand store_export;  // sim store export, sim export

Result<std::string> store_argument(const OptionValues& parsed);

}  // namespace tutti::commands
