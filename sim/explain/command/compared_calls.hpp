// SPDX-License-Identifier: BSD-3-Clause
// Options of commands that compare the choices of rules.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/options.hpp"

namespace tutti::commands {

// The options of a call that rules do not decide.
std::vector<OptionSpec> options_of_compared_calls();

}  // namespace tutti::commands
