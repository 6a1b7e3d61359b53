// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `sim fireworks`.
#pragma once

#include "sim/commands/command.hpp"

namespace tutti::commands {

extern const Subcommand fireworks_measure;
extern const Subcommand fireworks_predict;
extern const Subcommand fireworks_check;

}  // namespace tutti::commands
