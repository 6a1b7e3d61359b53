// SPDX-License-Identifier: BSD-3-Clause
// Extrapolates loops in which the peers change with every step (pairwise exchange): some windows of
// steps are simulated, and the times of the other steps are estimated from their load on the
// machine.
//
// Steps overlap, and their times depend on how far the ranks have drifted apart. Therefore the
// first steps are simulated in order, windows continue from the state of the ranks, and only the
// second half of each window is used.
#pragma once

#include "sim/jobs/extrapolation/step_job.hpp"

namespace tutti::jobs::extrapolation {

// Uses two samples with different borders and windows, each of half of `most_messages`; their
// difference contributes to the error estimate. A job of twice `most_procs_in_full` processes or
// more is preceded by two smaller ones (smaller_job.hpp), once in full and once as samples of as
// many steps: the estimate is at least twice the error of such a sample if its own estimate does
// not cover it. What follows is omitted as soon as the estimate exceeds `useful_error`; without a
// sample of the job, there are no times.
Result<Extrapolated> of_sampled_steps(
    const StepJob& job, std::int64_t most_messages,
    double useful_error = std::numeric_limits<double>::infinity());

}  // namespace tutti::jobs::extrapolation
