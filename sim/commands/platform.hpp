// SPDX-License-Identifier: BSD-3-Clause
// sim platform SUBCOMMAND: looks at machines, and makes some.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"

namespace tutti::commands {

extern const Subcommand platform_new;

// Options that subcommands share.
inline constexpr OptionSpec set_option{option_group, "--set", "KEY=VALUE",
                                       "overrides a parameter: mpi/eager_limit=12KiB", true};

// The machine that the only argument names; its warnings are told.
Result<platforms::Machine> machine_of(const OptionValues& parsed, const Diagnostics& diagnostics,
                                      std::size_t arguments = 1);

}  // namespace tutti::commands
