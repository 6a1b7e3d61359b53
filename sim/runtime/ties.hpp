// SPDX-License-Identifier: BSD-3-Clause
// Which events count as simultaneous.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::runtime {

inline constexpr Seconds tie_window_s = 1e-12;

// The end of the window in which events count as simultaneous with one at `time_s`: a few units in
// the last place at least.
inline Seconds after_ties(Seconds time_s) {
  return time_s + std::max(tie_window_s, 1e-15 * time_s);
}

}  // namespace tutti::runtime
