// SPDX-License-Identifier: BSD-3-Clause
// The commands of the program, in the order of `sim --help`.
#include "sim/commands/commands.hpp"
#include "sim/commands/shapes.hpp"

namespace tutti::commands {
namespace {

constexpr CommandShape no_options() { return {}; }

}  // namespace

std::span<const Command> all_commands() {
  static constexpr Command table[] = {
      {"run", "simulate a collective, I/O, messages", run_command, no_options},
      {"sweep", "run a study: many points, kept in a store", sweep_command, sweep_shape},
      {"platform", "look at machines, and make some", platform_command, platform_shape},
      {"list", "algorithms, mock-ups, platforms, tunables", list_command, list_shape},
      {"store", "look after stores of results", store_command, store_shape},
      {"export", "write a store as CSV or JSON", export_command, export_shape},
      {"plot", "draw results", plot_command, plot_shape},
      {"report", "write results as an HTML page", report_command, report_shape},
      {"compare", "set two results side by side", compare_command, compare_shape},
      {"validate", "models and papers against simulations", validate_command, validate_shape},
      {"fit", "machines and models from times", fit_command, fit_shape},
      {"select", "which algorithm: by models, as rules", select_command, select_shape},
      {"params", "keep and hand out personal settings", params_command, params_shape},
      {"tune", "search for the best parameters", tune_command, tune_shape},
      {"guidelines", "collectives beside their mock-ups", guidelines_command, guidelines_shape},
      {"fireworks", "what a busy node costs", fireworks_command, fireworks_shape},
      {"replay", "traces, changed and replayed", replay_command, replay_shape},
      {"help", "explain a command or a topic", help_command, no_options},
      {"completion", "print the completion of bash or zsh", completion_command, no_options},
      {"complete", {}, complete_command, no_options},
  };
  return table;
}

}  // namespace tutti::commands
