// SPDX-License-Identifier: BSD-3-Clause
// sim guidelines SUBCOMMAND: compares collectives with their mock-ups. One file per subcommand.
#pragma once

#include "sim/commands/command.hpp"

namespace tutti::commands {

extern const Subcommand guidelines_check;
extern const Subcommand guidelines_tune;

}  // namespace tutti::commands
