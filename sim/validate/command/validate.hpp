// SPDX-License-Identifier: BSD-3-Clause
// sim validate SUBCOMMAND: compares Tutti with measurements and formulas.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"

namespace tutti::commands {

extern const Subcommand validate_io;
extern const Subcommand validate_measured;
extern const Subcommand validate_models;

}  // namespace tutti::commands
