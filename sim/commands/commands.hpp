// SPDX-License-Identifier: BSD-3-Clause
// The subcommands, one file each. Each gets its arguments without the words that chose it and
// returns the exit code (`sim help exit-codes`).
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/diagnostics.hpp"

namespace tutti::commands {

using Arguments = std::vector<std::string>;

// The whole program; never throws. `arguments` without the program's name.
int run_program(const Arguments& arguments);

// Where `name` has a word of algorithms' names: which, and what lists them; else `otherwise`.
std::string algorithm_hint(const std::string& name, const std::string& otherwise);

// Writes to standard output and returns the exit code.
Result<int> print(const std::string& text);

// What `sim`, and `sim COMMAND --help`, print.
std::string main_help();
std::string run_help(const std::string& workload);
// What `sim help` knows beside commands and collectives.
std::vector<std::string> help_topics();

}  // namespace tutti::commands
