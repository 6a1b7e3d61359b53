// SPDX-License-Identifier: BSD-3-Clause
// sim platform SUBCOMMAND: looks at machines. One file per subcommand.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"

namespace tutti::commands {

extern const Subcommand platform_list;
extern const Subcommand platform_show;
extern const Subcommand platform_check;
extern const Subcommand platform_routes;
extern const Subcommand platform_draw;
extern const Subcommand platform_new;

// Options that subcommands share.
inline constexpr OptionSpec set_option{option_group, "--set", "KEY=VALUE",
                                       "overrides a parameter: mpi/eager_limit=12KiB", true};

// The machine that the only argument names; its warnings are told.
Result<platforms::Machine> machine_of(const OptionValues& parsed, const Diagnostics& diagnostics,
                                      std::size_t arguments = 1);

// "crill: 16 nodes x 48 cores, flat cluster".
std::string headline(const platforms::Machine& machine);

// The platforms of the catalog, as `sim platform list` shows them.
Result<std::string> platforms_listing(bool json);

}  // namespace tutti::commands
