// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "sim/base/result.hpp"

namespace tutti::commands {

// What gnuplot writes to standard output when it runs `program`, without the user's settings.
Result<std::string> run_gnuplot(const std::string& program);

}  // namespace tutti::commands
