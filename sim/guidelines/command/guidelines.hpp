// SPDX-License-Identifier: BSD-3-Clause
// sim guidelines SUBCOMMAND: collectives against what can be built from others. One file per
// subcommand.
#pragma once

#include "sim/commands/command.hpp"

namespace tutti::commands {

extern const Subcommand guidelines_check;
extern const Subcommand guidelines_tune;

}  // namespace tutti::commands
