// SPDX-License-Identifier: BSD-3-Clause
// The commands: what each is, does, and what may follow it.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/subcommand.hpp"

namespace tutti::commands {

struct CommandShape {
  std::span<const Subcommand* const> subcommands = {};
  std::span<const OptionSpec> specs = {};  // of the command without a subcommand
};

// Each is an object in its file, NAME_command, and a line of command_list.hpp.
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

// In the order of `sim --help` (sim/all_commands.cpp).
const std::vector<Command>& all_commands();

}  // namespace tutti::commands
