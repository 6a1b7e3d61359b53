// SPDX-License-Identifier: BSD-3-Clause
// A command that is made of subcommands, as `sim platform` and `sim validate`.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/commands/commands.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"

namespace tutti::commands {

struct Subcommand {
  std::string_view usage;    // "check NAME": its first word is the subcommand's name
  std::string_view summary;  // a line of `sim COMMAND --help`
  std::string_view help;     // more, for its own --help
  std::span<const OptionSpec> specs;
  Result<int> (*run)(const Parsed&, const Diagnostics&);
  bool starts_program = false;  // "--" ends the options; the rest is Parsed::program
  Operands operands = Operands::files;

  std::string_view name() const { return usage.substr(0, usage.find(' ')); }
};

struct SubcommandGroup {
  std::string_view command;  // "platform"
  std::string_view help;     // what it is for
  std::span<const Subcommand* const> subcommands;
};

// What `sim COMMAND --help` prints.
std::string group_help(const SubcommandGroup& group);

// Runs what the first of the arguments names; returns the exit code.
Result<int> run_group(const SubcommandGroup& group, const Arguments& arguments,
                      Diagnostics& diagnostics);

// Options that subcommands share.
inline constexpr std::string_view option_group = "Options";
inline constexpr OptionSpec color_option{option_group, "--color", "WHEN",
                                         "colour messages: auto (default), always, never"};
inline constexpr OptionSpec quiet_option{option_group, "-q,--quiet", "",
                                         "no progress, no warnings"};
inline constexpr OptionSpec help_option{option_group, "-h,--help", "", "print this and stop"};
inline constexpr OptionSpec text_json_option{option_group, "--format", "FORMAT",
                                             "text (default) or json"};

// Writes to --output if it is given, else to standard output; returns the exit code.
Result<int> write_result(const Parsed& parsed, const std::string& text);

}  // namespace tutti::commands
