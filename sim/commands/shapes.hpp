// SPDX-License-Identifier: BSD-3-Clause
// The commands: what each is, does, and what may follow it.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/subcommand.hpp"

// A line a command, in the order of `sim --help`.
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
  COMMAND(validate)             \
  COMMAND(fit)                  \
  COMMAND(select)               \
  COMMAND(params)               \
  COMMAND(tune)                 \
  COMMAND(guidelines)           \
  COMMAND(fireworks)            \
  COMMAND(replay)               \
  COMMAND(help)                 \
  COMMAND(completion)           \
  COMMAND(complete)             \
  COMMAND(manual)

namespace tutti::commands {

struct CommandShape {
  std::span<const Subcommand* const> subcommands = {};
  std::span<const OptionSpec> specs = {};  // of the command without a subcommand
};

// Each is an object in its file, NAME_command, and a line in the list above.
struct Command {
  std::string_view name;
  std::string_view summary = {};                     // empty: for programs, not for people
  const SubcommandGroup* group = nullptr;            // of a command with subcommands
  std::span<const OptionSpec> (*specs)() = nullptr;  // of the command without a subcommand
  std::string (*help)() = nullptr;                   // null: that of the group
  // Returns the exit code. Null: the group runs what the first word names.
  Result<int> (*run)(const Arguments&, Diagnostics&) = nullptr;

  CommandShape shape() const {
    return {group ? group->subcommands : std::span<const Subcommand* const>(),
            specs ? specs() : std::span<const OptionSpec>()};
  }
};

#define TUTTI_DECLARED(name) extern const Command name##_command;
TUTTI_COMMANDS(TUTTI_DECLARED)
#undef TUTTI_DECLARED

// In the order of `sim --help` (sim/all_commands.cpp).
const std::vector<Command>& all_commands();

}  // namespace tutti::commands
