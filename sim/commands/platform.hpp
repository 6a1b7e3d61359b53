// SPDX-License-Identifier: BSD-3-Clause
// sim platform SUBCOMMAND: inspects and creates machines.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"

namespace tutti::commands {

extern const Subcommand platform_new;

// Options that subcommands share.
inline constexpr OptionSpec set_option{option_group, "--set", "KEY=VALUE",
                                       "Override a parameter, for example mpi/eager_limit=12KiB",
                                       true};

// The machine that the first of `arguments` arguments names; prints its warnings.
Result<platforms::Machine> machine_of(const OptionValues& parsed, const Diagnostics& diagnostics,
                                      std::size_t arguments = 1);

}  // namespace tutti::commands
