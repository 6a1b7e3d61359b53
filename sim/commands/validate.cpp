// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/validate.hpp"

#include "sim/commands/shapes.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const subcommands[] = {&validate_models, &validate_improvement, &validate_io,
                                         &validate_paper};

constexpr SubcommandGroup group{
    .command = "validate",
    .help =
        "Where do formulas hold, and where does contention break them? And does Tutti compute "
        "what was published?",
    .subcommands = subcommands};

}  // namespace

std::string validate_help() { return group_help(group); }

int validate_command(const Arguments& arguments, Diagnostics& diagnostics) {
  return run_group(group, arguments, diagnostics);
}

CommandShape validate_shape() { return {.subcommands = subcommands}; }

}  // namespace tutti::commands
