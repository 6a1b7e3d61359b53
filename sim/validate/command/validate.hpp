// SPDX-License-Identifier: BSD-3-Clause
// sim validate SUBCOMMAND: Tutti beside what was published. One file per subcommand.
#pragma once

#include "sim/commands/command.hpp"

namespace tutti::commands {

extern const Subcommand validate_improvement;
extern const Subcommand validate_io;
extern const Subcommand validate_measured;
extern const Subcommand validate_paper;
extern const Subcommand validate_models;

}  // namespace tutti::commands
