// SPDX-License-Identifier: BSD-3-Clause
// Fitted values as platform files have them, with seven digits.
#pragma once

#include <fmt/format.h>

#include <string>

#include "sim/base/units.hpp"

namespace tutti::studies {

inline std::string time_text(Seconds time_s) { return fmt::format("{:.7g}us", time_s * 1e6); }
inline std::string rate_text(double rate_Bps) { return fmt::format("{:.7g}MBps", rate_Bps / 1e6); }

}  // namespace tutti::studies
