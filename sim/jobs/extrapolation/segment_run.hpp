// SPDX-License-Identifier: BSD-3-Clause
// Simulates the first steps of a ring with a few segments of it, which represent all its ranks.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/extrapolation/ring_classes.hpp"
#include "sim/jobs/extrapolation/step_job.hpp"

namespace tutti::jobs::extrapolation {

// Returns the same as run(job, first_steps_of(job, steps)), up to rounding. Unset if the ranks have
// no classes, or if a check fails.
Result<std::optional<SampledRun>> run_segments(const StepJob& job, std::int64_t steps);

}  // namespace tutti::jobs::extrapolation
