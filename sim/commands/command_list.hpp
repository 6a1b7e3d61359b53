// SPDX-License-Identifier: BSD-3-Clause
// The list of applications and commands.
#pragma once

#include "sim/commands/command.hpp"

// One line per application, each below those that it depends on: its folder (sim/NAME), its
// command, and its section of the manual (sim/NAME/manual.1). The build and the test of includes
// parse these lines.
#define TUTTI_APPLICATIONS(APPLICATION) \
  APPLICATION(params)                   \
  APPLICATION(replay)                   \
  APPLICATION(fit)                      \
  APPLICATION(select)                   \
  APPLICATION(explain)                  \
  APPLICATION(rules)                    \
  APPLICATION(place)                    \
  APPLICATION(guidelines)               \
  APPLICATION(fireworks)                \
  APPLICATION(tune)                     \
  APPLICATION(validate)

// All commands, in the order of `sim --help`.
#define TUTTI_COMMANDS(COMMAND) \
  COMMAND(run)                  \
  COMMAND(sweep)                \
  COMMAND(platform)             \
  COMMAND(list)                 \
  COMMAND(store)                \
  COMMAND(export)               \
  COMMAND(plot)                 \
  COMMAND(report)               \
  COMMAND(compare)              \
  TUTTI_APPLICATIONS(COMMAND)   \
  COMMAND(help)                 \
  COMMAND(completion)           \
  COMMAND(complete)             \
  COMMAND(manual)               \
  COMMAND(schemas)

namespace tutti::commands {

#define TUTTI_DECLARED(name) extern const Command name##_command;
TUTTI_COMMANDS(TUTTI_DECLARED)
#undef TUTTI_DECLARED

}  // namespace tutti::commands
