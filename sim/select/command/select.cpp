// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/command/select.hpp"

#include "sim/commands/shapes.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const select_subcommands[] = {&select_models, &select_rules, &select_evaluate};

constexpr SubcommandGroup select_group{
    .command = "select",
    .help = "Which algorithm of a collective for which processes and message sizes?",
    .subcommands = select_subcommands};

// `sim select --models FILE ...` means its first subcommand.
bool means_models(const Arguments& arguments) {
  if (arguments.empty() || !arguments.front().starts_with("--")) return false;
  return arguments.front() != "--help";
}

}  // namespace

Result<int> run_select_command(const Arguments& arguments, Diagnostics& diagnostics) {
  if (!means_models(arguments)) return run_group(select_group, arguments, diagnostics);
  Arguments with_name = arguments;
  with_name.insert(with_name.begin(), "models");
  return run_group(select_group, with_name, diagnostics);
}

extern const Command select_command{
    .name = "select",
    .summary = "which algorithm: by models, as rules",
    .group = &select_group,
    .specs = [] { return std::span<const OptionSpec>(select_models.specs); },
    .run = run_select_command};

}  // namespace tutti::commands
