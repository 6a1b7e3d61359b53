// SPDX-License-Identifier: BSD-3-Clause
// A command that is made of subcommands, as `sim platform` and `sim validate`.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"

namespace tutti::commands {

struct Subcommand {
  std::string_view usage;    // "check NAME": its first word is the subcommand's name
  std::string_view summary;  // a line of `sim COMMAND --help`
  std::string_view help;     // more, for its own --help
  std::span<const OptionSpec> specs;
  Result<int> (*run)(const OptionValues&, const Diagnostics&);
  bool starts_program = false;  // "--" ends the options; the rest is OptionValues::program
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

// Writes to --output if it is given, else to standard output; returns the exit code.
Result<int> write_result(const OptionValues& parsed, const std::string& text);

}  // namespace tutti::commands
