// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/validate.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const subcommands[] = {&validate_io};

constexpr SubcommandGroup group{
    .command = "validate",
    .help =
        "Puts what Tutti computes beside what was published. The exit code is 1 if a value "
        "differs.",
    .subcommands = subcommands};

}  // namespace

std::string validate_help() { return group_help(group); }

int validate_command(const Arguments& arguments, Diagnostics& diagnostics) {
  return run_group(group, arguments, diagnostics);
}

}  // namespace tutti::commands
