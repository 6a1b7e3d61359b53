// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/command/validate.hpp"

#include "sim/commands/shapes.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const validate_subcommands[] = {
    &validate_measured, &validate_models, &validate_improvement, &validate_io, &validate_paper};

constexpr SubcommandGroup validate_group{
    .command = "validate",
    .help =
        "Where do formulas hold, and where does contention break them? And does Tutti compute "
        "what was published?",
    .subcommands = validate_subcommands};

}  // namespace

extern const Command validate_command{.name = "validate",
                                      .summary = "models and papers against simulations",
                                      .group = &validate_group};

}  // namespace tutti::commands
