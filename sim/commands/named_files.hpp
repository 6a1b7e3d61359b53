// SPDX-License-Identifier: BSD-3-Clause
// The files that a command line names. Before any command does something all of them are registered
// (sim/base/file_roles.hpp): what is written is not read, too, nor written twice, and can be
// written.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/options.hpp"

namespace tutti::commands {

// Those that a value of the option names: itself, or behind "file:" and the like.
std::vector<std::string> files_in(const OptionSpec& option, const std::string& value);

std::vector<Error> check_named_files(std::span<const OptionSpec> specs, const OptionValues& parsed,
                                     Operands operands);

// For a file that the command makes a name of: FILE-COLLECTIVE.svg. Before anything is written.
std::optional<Error> claim_output(const std::string& path, const std::string& where);

}  // namespace tutti::commands
