// SPDX-License-Identifier: BSD-3-Clause
// The files that a command line names. Before any command does something it is looked at all of
// them: what is written is not read, too, nor written twice, and can be written.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/result.hpp"
#include "sim/commands/options.hpp"

namespace tutti::commands {

// Those that a value of the option names: itself, or behind "file:" and the like.
std::vector<std::string> files_in(const OptionSpec& option, const std::string& value);

std::vector<Error> check_named_files(std::span<const OptionSpec> specs, const Parsed& parsed,
                                     Operands operands);

// For files that are read although no word of the command line is their name; `where` says what
// names them.
std::vector<Error> check_not_written(const std::vector<std::string>& files,
                                     const std::string& where, std::span<const OptionSpec> specs,
                                     const Parsed& parsed);

}  // namespace tutti::commands
