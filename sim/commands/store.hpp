// SPDX-License-Identifier: BSD-3-Clause
// sim store SUBCOMMAND: looks after stores of results. One file per subcommand.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"

namespace tutti::commands {

extern const Subcommand store_check;
extern const Subcommand store_info;
extern const Subcommand store_merge;
extern const Subcommand store_gc;

// The only argument: a store.
Result<std::string> store_argument(const OptionValues& parsed);

// "unknown size" where the file cannot be looked at.
std::string file_size_of(const std::string& path);

}  // namespace tutti::commands
