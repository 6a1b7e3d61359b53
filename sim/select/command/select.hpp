// SPDX-License-Identifier: BSD-3-Clause
// sim select: one file per subcommand.
#pragma once

#include "sim/commands/command.hpp"

namespace tutti::commands {

extern const Subcommand select_evaluate;
extern const Subcommand select_models;
extern const Subcommand select_rules;

}  // namespace tutti::commands
