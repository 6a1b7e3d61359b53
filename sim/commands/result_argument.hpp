// SPDX-License-Identifier: BSD-3-Clause
// What commands share that read results from a file: `sim plot`, `sim report`, `sim compare`.
#pragma once

#include <span>
#include <string>

#include "sim/commands/commands.hpp"
#include "sim/commands/options.hpp"
#include "sim/reports/plots/plot_words.hpp"

namespace tutti::commands {

// A command without subcommands: --help, --quiet, then `run`.
int run_simple(std::span<const OptionSpec> specs, std::string (*help)(),
               int (*run)(const Parsed&, Diagnostics&), const Arguments& arguments,
               Diagnostics& diagnostics);

// Of the options --x, --y, --series, ... that are given.
Result<reports::PlotSpec> plot_spec(const Parsed& parsed);
// A list with commas.
std::vector<std::string> list_of(const std::string& text);

// The only argument; `what` is missing otherwise.
Result<std::string> only_argument(const Parsed& parsed, const std::string& what);

}  // namespace tutti::commands
