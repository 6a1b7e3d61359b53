// SPDX-License-Identifier: BSD-3-Clause
// Extrapolates loops in which every step has the same peers (rings, neighbor exchange): the first
// steps are simulated, and a recurrence learned from them is applied to the remaining steps.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/extrapolation/extrapolation.hpp"

namespace tutti::jobs::extrapolation {

struct RepeatedLimits {
  std::int64_t most_messages;  // of a sample
  bool must_extrapolate;       // the whole call is too long to be simulated
  // Maximum number of clocks that are computed step by step for an error estimate, which takes
  // about a minute. If there are more, a bound of the error is sufficient up to `useful_error`.
  double most_clocks = 2e11;
  double useful_error = most_error;
};

// Unset if the whole call should be simulated.
Result<std::optional<Extrapolated>> of_repeated_steps(const StepJob& job,
                                                      const RepeatedLimits& limits);

}  // namespace tutti::jobs::extrapolation
