// SPDX-License-Identifier: BSD-3-Clause
// sim fit: one file per subcommand.
#pragma once

#include "sim/commands/command.hpp"

namespace tutti::commands {

extern const Subcommand fit_platform;
extern const Subcommand fit_models;
extern const Subcommand fit_storage;

}  // namespace tutti::commands
