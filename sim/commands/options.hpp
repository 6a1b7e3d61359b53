// SPDX-License-Identifier: BSD-3-Clause
// Parses the options of a command line by their table, and prints the help of the table.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/options/option_reader.hpp"
#include "sim/options/option_values.hpp"
#include "sim/options/shared_options.hpp"

namespace tutti::commands {

namespace job_option = options::shared;
using job_option::color_option;
using job_option::help_option;
using job_option::option_group;
using job_option::quiet_option;
using options::bytes_axis;
using options::count_axis;
using options::fanout_axis;
using options::find_option;
using options::joined;
using options::joined_specs;
using options::most_bytes;
using options::OptionReader;
using options::OptionSpec;
using options::OptionValues;
using options::platform_names;
using options::read_choice;
using options::read_count;
using options::read_fraction;
using options::read_harness;
using options::reproducing_options;
using options::shell_quoted;
using options::some_bytes_axis;
using options::taking;
using options::unexpected_argument;
using options::units_hint;
using options::unknown_name;
using options::written;

// The meaning of arguments (words that are not options): files (or names of platforms), or names.
enum class Operands { files, names };

// Parses the arguments of a command by the table of its options. Options that are not given may get
// values from the environment or the configuration file (`add_defaults`). Errors: unknown options
// (with a suggestion), missing values, options given twice, and output files that cannot be written
// or are also inputs.
Result<OptionValues> parse_options(std::span<const OptionSpec> specs,
                                   const std::vector<std::string>& arguments,
                                   Operands operands = Operands::files);

// Prints a note if a size is in "KB": a multiple of 1000 bytes, not of 1024.
void note_decimal_sizes(std::span<const OptionSpec> specs, const OptionValues& parsed,
                        const Diagnostics& diagnostics);

// The options as printed by --help, at most 80 columns wide.
std::string options_help(std::span<const OptionSpec> specs);

}  // namespace tutti::commands
