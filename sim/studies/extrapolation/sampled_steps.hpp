// SPDX-License-Identifier: BSD-3-Clause
// Extrapolates loops in which the peers change with every step (pairwise exchange): some windows of
// steps are simulated, and the times of the other steps are estimated from their load on the
// machine.
//
// Steps overlap, and their times depend on how far the ranks have drifted apart. Therefore the
// first steps are simulated in order, windows continue from the state of the ranks, and only the
// second half of each window is used.
#pragma once

#include "sim/studies/extrapolation/step_job.hpp"

namespace tutti::studies::extrapolation {

// Uses two samples with different borders and windows, each of half of `most_messages`; their
// difference contributes to the error estimate. The second one is omitted if the estimate already
// exceeds `useful_error` after the first.
Result<Extrapolated> of_sampled_steps(
    const StepJob& job, std::int64_t most_messages,
    double useful_error = std::numeric_limits<double>::infinity());

}  // namespace tutti::studies::extrapolation
