// SPDX-License-Identifier: BSD-3-Clause
// The commands, and what may follow each: its subcommands and options.
#pragma once

#include <span>

#include "sim/commands/subcommand.hpp"

namespace tutti::commands {

struct CommandShape {
  std::span<const Subcommand* const> subcommands = {};
  std::span<const OptionSpec> specs = {};  // of the command without a subcommand
};

struct Command {
  std::string_view name;
  std::string_view summary;  // empty: for programs, not for people
  Result<int> (*run)(const Arguments&, Diagnostics&);
  CommandShape (*shape)();
};
// In the order of `sim --help` (sim/all_commands.cpp).
std::span<const Command> all_commands();

CommandShape sweep_shape();
CommandShape list_shape();
CommandShape platform_shape();
CommandShape store_shape();
CommandShape export_shape();
CommandShape validate_shape();
CommandShape fit_shape();
CommandShape select_shape();
CommandShape params_shape();
CommandShape tune_shape();
CommandShape guidelines_shape();
CommandShape fireworks_shape();
CommandShape replay_shape();
CommandShape plot_shape();
CommandShape report_shape();
CommandShape compare_shape();

}  // namespace tutti::commands
