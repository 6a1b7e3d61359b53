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

extern const Command fit_command{
    .name = "fit", .summary = "machines and models from times", .group = &fit_group};

}  // namespace tutti::commands
