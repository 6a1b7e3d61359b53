// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/select.hpp"

#include "sim/commands/shapes.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const subcommands[] = {&select_models, &select_rules};

constexpr SubcommandGroup group{
    .command = "select",
    .help = "Which algorithm of a collective for which processes and message sizes?",
    .subcommands = subcommands};

// `sim select --models FILE ...` means its first subcommand.
bool names_only_options(const Arguments& arguments) {
  if (arguments.empty() || !arguments.front().starts_with("--")) return false;
  return arguments.front() != "--help";
}

}  // namespace

std::string select_help() { return group_help(group); }

int select_command(const Arguments& arguments, Diagnostics& diagnostics) {
  if (!names_only_options(arguments)) return run_group(group, arguments, diagnostics);
  Arguments with_name = arguments;
  with_name.insert(with_name.begin(), "models");
  return run_group(group, with_name, diagnostics);
}

CommandShape select_shape() { return {.subcommands = subcommands, .specs = select_models.specs}; }

}  // namespace tutti::commands
