// SPDX-License-Identifier: BSD-3-Clause
// What commands share that read results from a file: `sim plot`, `sim report`, `sim compare`.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/options.hpp"
#include "sim/reports/plots/plot_words.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::commands {

inline constexpr OptionSpec where_option{
    "What is drawn", "--where", "CONDITION",
    "only these points: 'procs <= 1024 and algorithm == \"ring\"', of columns"};

// The file's results; with --where those that it means. Errors name the file or the option.
Result<reports::ResultFile> read_results(const OptionValues& parsed, const std::string& path);

// Of the options --x, --y, --series, ... that are given.
Result<reports::PlotSpec> plot_spec(const OptionValues& parsed);
// One of them is given.
bool asks_for_plot(const OptionValues& parsed);
// A list with commas.
std::vector<std::string> list_of(const std::string& text);

// The only argument; `what` is missing otherwise.
Result<std::string> only_argument(const OptionValues& parsed, const std::string& what);

}  // namespace tutti::commands
