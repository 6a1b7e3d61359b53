// SPDX-License-Identifier: BSD-3-Clause
// sim validate io --cases: does the model of collective I/O move as the simulation does?
#pragma once

#include <span>

#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"

namespace tutti::commands {

// The options that mean something with --cases alone.
std::span<const OptionSpec> io_cases_specs();

// `all`: the options of the command, for the line that reproduces the run. The exit code.
Result<int> validate_io_cases(const OptionValues& parsed, std::span<const OptionSpec> all,
                              const Diagnostics& diagnostics);

}  // namespace tutti::commands
