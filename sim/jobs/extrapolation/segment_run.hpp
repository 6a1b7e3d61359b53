// SPDX-License-Identifier: BSD-3-Clause
// Simulates the first steps of a ring with a few segments of it, which represent all its ranks.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/extrapolation/step_job.hpp"

namespace tutti::jobs::extrapolation {

// Classes of ranks that end the first steps of a ring at equal times, because all hops around them
// are equal. A few segments of consecutive ranks then represent the whole ring.
struct RingClasses {
  std::vector<runtime::RankId> representative;  // by rank: the first rank of its class
  std::vector<runtime::RankId>
      simulated;  // ascending: the representatives and the ranks around them
  std::int64_t per_step =
      1;                   // ranks by which an effect travels with each step, in either direction
  std::int64_t reach = 0;  // ranks of the same class have equal hops up to this distance
};

// Unset if simulating all ranks is about as fast because there are many classes, if a rank's peers
// are not its neighbors, or if ranks far from each other share a link.
std::optional<RingClasses> classes_of(const StepJob& job, std::int64_t steps);

// Returns the same as run(job, first_steps_of(job, steps)), up to rounding. Unset if the ranks have
// no classes, or if a check fails.
Result<std::optional<SampledRun>> run_segments(const StepJob& job, std::int64_t steps);

}  // namespace tutti::jobs::extrapolation
