// SPDX-License-Identifier: BSD-3-Clause
// sim platform SUBCOMMAND: looks at machines. One file per subcommand.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "platforms/machine.hpp"
#include "sim/base/rate.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"

namespace tutti::commands {

struct PlatformSubcommand {
  std::string_view usage;    // "check NAME": its first word is the subcommand's name
  std::string_view summary;  // a line of `sim platform --help`
  std::string_view help;     // more, for its own --help
  std::span<const OptionSpec> specs;
  int (*run)(const Parsed&, const Diagnostics&);

  std::string_view name() const { return usage.substr(0, usage.find(' ')); }
};

extern const PlatformSubcommand platform_list;
extern const PlatformSubcommand platform_show;
extern const PlatformSubcommand platform_check;
extern const PlatformSubcommand platform_routes;
extern const PlatformSubcommand platform_draw;
extern const PlatformSubcommand platform_new;

// Options that subcommands share.
inline constexpr std::string_view option_group = "Options";
inline constexpr OptionSpec set_option{option_group, "--set", "KEY=VALUE",
                                       "overrides a parameter: mpi/eager_limit=12KiB", true};
inline constexpr OptionSpec text_json_option{option_group, "--format", "FORMAT",
                                             "text (default) or json"};
inline constexpr OptionSpec color_option{option_group, "--color", "WHEN",
                                         "colour messages: auto (default), always, never"};
inline constexpr OptionSpec quiet_option{option_group, "-q,--quiet", "",
                                         "no progress, no warnings"};
inline constexpr OptionSpec help_option{option_group, "-h,--help", "", "print this and stop"};

// The machine that the only argument names; its warnings are told.
Result<platforms::Machine> machine_of(const Parsed& parsed, const Diagnostics& diagnostics,
                                      std::size_t arguments = 1);

// "crill: 16 nodes x 48 cores, flat cluster".
std::string headline(const platforms::Machine& machine);

// The platforms of the catalog, as `sim platform list` shows them.
Result<std::string> platforms_listing(bool json);

// Writes to --output if it is given, else to standard output; returns the exit code.
int write_result(const Parsed& parsed, const std::string& text, const Diagnostics& diagnostics);

}  // namespace tutti::commands
