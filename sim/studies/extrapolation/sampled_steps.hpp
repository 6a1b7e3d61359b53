// SPDX-License-Identifier: BSD-3-Clause
// Loops in which the peers change with every step (pairwise exchange): some windows of steps are
// simulated; what the others take is told from what they load the machine with.
//
// A step does not end before the next one begins: how far the ranks have drifted apart decides what
// it takes. So the first steps are simulated as they come, windows go on from where the ranks then
// are, and only the second half of each counts.
#pragma once

#include "sim/studies/extrapolation/step_job.hpp"

namespace tutti::studies::extrapolation {

// By two samples, each of half as many messages, that are begun and cut in different ways; what
// they do not agree on is the estimate of the error.
Result<Extrapolated> of_sampled_steps(const StepJob& job, std::int64_t most_messages);

}  // namespace tutti::studies::extrapolation
