// SPDX-License-Identifier: BSD-3-Clause
// The workload "replay": a trace replayed on a simulated machine as a point of a study. Its time is
// the run time of the program, including computation.
#pragma once

#include "sim/studies/workloads/workload.hpp"

namespace tutti::studies {

inline constexpr std::string_view replay_word = "replay";

extern const Workload replay_workload;

}  // namespace tutti::studies
