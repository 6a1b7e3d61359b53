// SPDX-License-Identifier: BSD-3-Clause
// The subcommands, one file each. Each gets its arguments without the words that chose it and
// returns the exit code (`sim help exit-codes`).
#pragma once

#include <string>
#include <vector>

#include "sim/commands/diagnostics.hpp"

namespace tutti::commands {

using Arguments = std::vector<std::string>;

// The whole program; never throws. `arguments` without the program's name.
int run_program(const Arguments& arguments);

Result<int> run_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> sweep_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> list_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> platform_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> store_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> export_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> validate_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> fit_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> select_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> params_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> tune_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> guidelines_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> fireworks_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> replay_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> plot_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> report_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> compare_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> help_command(const Arguments& arguments, Diagnostics& diagnostics);
// Of shells: the script, and what it asks.
Result<int> completion_command(const Arguments& arguments, Diagnostics& diagnostics);
Result<int> complete_command(const Arguments& arguments, Diagnostics& diagnostics);

// Where `name` has a word of algorithms' names: which, and what lists them; else `otherwise`.
std::string algorithm_hint(const std::string& name, const std::string& otherwise);

// Writes to standard output and returns the exit code.
Result<int> print(const std::string& text);

// What `sim`, and `sim COMMAND --help`, print.
std::string main_help();
std::string run_help(const std::string& workload);
std::string sweep_help();
std::string list_help();
std::string platform_help();
std::string store_help();
std::string export_help();
std::string validate_help();
std::string fit_help();
std::string select_help();
std::string params_help();
std::string tune_help();
std::string guidelines_help();
std::string fireworks_help();
std::string replay_help();
std::string plot_help();
std::string report_help();
std::string compare_help();
std::string completion_help();
// What `sim help` knows beside commands and collectives.
std::vector<std::string> help_topics();

}  // namespace tutti::commands
