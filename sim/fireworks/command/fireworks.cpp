// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/command/fireworks.hpp"

#include "sim/commands/shapes.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const fireworks_subcommands[] = {&fireworks_measure, &fireworks_predict,
                                                   &fireworks_check};

constexpr SubcommandGroup fireworks_group{
    .command = "fireworks",
    .help =
        "What a busy node costs, as cFireworks measures it, and which order of the nodes lets "
        "collective I/O exchange its data fastest. `sim fireworks --platform NAME` measures.",
    .subcommands = fireworks_subcommands};

// `sim fireworks --platform NAME ...` means its first subcommand.
bool means_measure(const Arguments& arguments) {
  if (arguments.empty() || !arguments.front().starts_with("-")) return false;
  return arguments.front() != "--help" && arguments.front() != "-h";
}

}  // namespace

Result<int> run_fireworks_command(const Arguments& arguments, Diagnostics& diagnostics) {
  if (!means_measure(arguments)) return run_group(fireworks_group, arguments, diagnostics);
  Arguments with_name = arguments;
  with_name.insert(with_name.begin(), std::string(fireworks_measure.name()));
  return run_group(fireworks_group, with_name, diagnostics);
}

extern const Command fireworks_command{
    .name = "fireworks",
    .summary = "what a busy node costs",
    .group = &fireworks_group,
    .specs = [] { return std::span<const OptionSpec>(fireworks_measure.specs); },
    .run = run_fireworks_command};

}  // namespace tutti::commands
