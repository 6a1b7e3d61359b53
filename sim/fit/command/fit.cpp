// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/command/fit.hpp"

#include "sim/commands/shapes.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const fit_subcommands[] = {&fit_platform, &fit_models};

constexpr SubcommandGroup fit_group{
    .command = "fit",
    .help = "From measurements to the parameters that simulations need.",
    .subcommands = fit_subcommands};

}  // namespace

std::string fit_help() { return group_help(fit_group); }

Result<int> fit_command(const Arguments& arguments, Diagnostics& diagnostics) {
  return run_group(fit_group, arguments, diagnostics);
}

CommandShape fit_shape() { return {.subcommands = fit_subcommands}; }

}  // namespace tutti::commands
