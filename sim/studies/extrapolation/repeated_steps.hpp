// SPDX-License-Identifier: BSD-3-Clause
// Loops in which every step has the same peers (rings, neighbour exchange): the first steps are
// simulated, a recurrence is learned from them and goes on to the end.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/extrapolation/step_job.hpp"

namespace tutti::studies::extrapolation {

struct RepeatedLimits {
  std::int64_t most_messages;  // of a sample
  bool must_extrapolate;       // the whole call is too long to be simulated
};

// Nothing: simulate the whole call.
Result<std::optional<Extrapolated>> of_repeated_steps(const StepJob& job,
                                                      const RepeatedLimits& limits);

}  // namespace tutti::studies::extrapolation
