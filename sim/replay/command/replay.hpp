// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `sim replay`.
#pragma once

#include "sim/commands/command.hpp"

namespace tutti::commands {

extern const Subcommand replay_suggest;
extern const Subcommand replay_diff;

}  // namespace tutti::commands
