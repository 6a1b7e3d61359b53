// SPDX-License-Identifier: BSD-3-Clause
// The entry point of the program, and functions that commands share. A command gets its arguments
// without the words that selected it and returns the exit code (`sim help exit-codes`).
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/diagnostics.hpp"

namespace tutti::commands {

using Arguments = std::vector<std::string>;

// Runs the program and returns the exit code; never throws. `arguments`: without the program's
// name.
int run_program(const Arguments& arguments);

// If `name` has a word of algorithms' names: a hint that lists these algorithms; else `otherwise`.
std::string algorithm_hint(const std::string& name, const std::string& otherwise);

// Writes to standard output and returns the exit code.
Result<int> print(const std::string& text);

// The help of `sim --help` and of `sim run WORKLOAD --help`.
std::string main_help();
std::string run_help(const std::string& workload);
// The topics of `sim help` in addition to collectives.
std::vector<std::string> help_topics();

}  // namespace tutti::commands
