// SPDX-License-Identifier: BSD-3-Clause
// Rings whose blocks differ, since the vector does not divide by the ranks: what a step takes
// depends on the block that passes, so no recurrence holds. Told from rings of equal blocks.
#pragma once

#include <vector>

#include "sim/studies/extrapolation/step_job.hpp"

namespace tutti::studies::extrapolation {

bool has_uneven_blocks(const std::vector<algorithms::StepPhase>& phases);

// As if all blocks were like the longest, which everyone waits for; how far that is off is told by
// a ring of the shortest ones (100 % where that is another algorithm). Counts are exact.
Result<Extrapolated> of_uneven_blocks(const StepJob& job, std::int64_t most_messages);

}  // namespace tutti::studies::extrapolation
