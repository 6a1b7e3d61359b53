// SPDX-License-Identifier: BSD-3-Clause
// Code shared by the commands that read results from a file: `sim plot`, `sim report`,
// `sim compare`.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"
#include "sim/reports/plots/plot_words.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::commands {

inline constexpr OptionSpec where_option{
    "What is drawn", "--where", "CONDITION",
    "Use only points that match a condition on columns: 'procs <= 1024 and algorithm == \"ring\"'"};

// Prints the remarks and warnings of the file, and returns its results, filtered by --where. Errors
// name the file or the option.
Result<reports::ResultFile> read_results(const OptionValues& parsed, const std::string& path,
                                         const Diagnostics& diagnostics);
// Prints the remarks and warnings of a file.
void print_remarks(const reports::ResultFile& file, const Diagnostics& diagnostics);

// The plot that the options --x, --y, --series, ... describe.
Result<reports::PlotSpec> plot_spec(const OptionValues& parsed);
// Returns whether any of these options is given.
bool asks_for_plot(const OptionValues& parsed);
// The items of a comma-separated list.
std::vector<std::string> split_items(const std::string& text);

// The only argument; `what` describes it in the error if it is missing.
Result<std::string> only_argument(const OptionValues& parsed, const std::string& what);

}  // namespace tutti::commands
