// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/command/validate.hpp"

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/validate/report/reports.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const validate_subcommands[] = {&validate_measured, &validate_models,
                                                  &validate_io};

}  // namespace

extern const Command validate_command{
    .name = "validate",
    .summary = "compare predictions with measurements and models",
    .help =
        "Compares simulations with measured collectives and with the formulas of collectives, and "
        "the formula of collective I/O with its published values.",
    .subcommands = validate_subcommands};

}  // namespace tutti::commands
