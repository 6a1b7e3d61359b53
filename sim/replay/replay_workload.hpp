// SPDX-License-Identifier: BSD-3-Clause
// A trace replayed on a simulated machine as a point of a study: workload = "replay". Its time is
// the end of the program, computation included.
#pragma once

#include "sim/studies/workloads/workload.hpp"

namespace tutti::studies {

inline constexpr std::string_view replay_word = "replay";

extern const Workload replay_workload;

}  // namespace tutti::studies
