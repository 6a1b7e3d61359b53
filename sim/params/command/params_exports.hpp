// SPDX-License-Identifier: BSD-3-Clause
// A set of parameters as files and lines for other programs.
#pragma once

#include <string>
#include <vector>

#include "sim/params/command/params.hpp"

namespace tutti::commands {

// What --export takes, the default first.
std::vector<std::string> export_names();
// Whether the exported text says itself which set it is.
bool tells_its_match(const std::string& what);

// rules: of all current sets of the match's application.
Result<std::string> exported(const Matched& found, const std::string& what,
                             const ExportTarget& target, const Diagnostics& diagnostics);

}  // namespace tutti::commands
