// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/command/guidelines.hpp"

#include "sim/commands/shapes.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const guidelines_subcommands[] = {&guidelines_check, &guidelines_tune};

constexpr SubcommandGroup guidelines_group{
    .command = "guidelines",
    .help =
        "Is a collective slower than what can be built from others? Performance guidelines "
        "and mock-ups of PGMPITuneLib.",
    .subcommands = guidelines_subcommands};

}  // namespace

std::string guidelines_help() { return group_help(guidelines_group); }

Result<int> guidelines_command(const Arguments& arguments, Diagnostics& diagnostics) {
  return run_group(guidelines_group, arguments, diagnostics);
}

CommandShape guidelines_shape() { return {.subcommands = guidelines_subcommands}; }

}  // namespace tutti::commands
