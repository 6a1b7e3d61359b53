// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/fit.hpp"

#include "sim/commands/shapes.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const subcommands[] = {&fit_platform, &fit_models};

constexpr SubcommandGroup group{
    .command = "fit",
    .help = "From measurements to the parameters that simulations need.",
    .subcommands = subcommands};

}  // namespace

std::string fit_help() { return group_help(group); }

int fit_command(const Arguments& arguments, Diagnostics& diagnostics) {
  return run_group(group, arguments, diagnostics);
}

CommandShape fit_shape() { return {.subcommands = subcommands}; }

}  // namespace tutti::commands
