// SPDX-License-Identifier: BSD-3-Clause
// The files that a command line names. All of them are registered before a command runs
// (sim/base/file_roles.hpp), to verify that no output is also an input or written twice, and that
// each output can be written.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/options.hpp"

namespace tutti::commands {

// The files that a value of the option names: the value, or what follows "file:" (also in
// "rankfile:"), "rules=" or "arbitrary="; or the file of --nodes @FILE.
std::vector<std::string> files_in(const OptionSpec& option, const std::string& value);

std::vector<Error> check_named_files(std::span<const OptionSpec> specs, const OptionValues& parsed,
                                     Operands operands);

// The same check for an output whose name the command derives (FILE-COLLECTIVE.svg). Call it before
// anything is written.
std::optional<Error> claim_output(const std::string& path, const std::string& where);

}  // namespace tutti::commands
