// SPDX-License-Identifier: BSD-3-Clause
// Calls with about as many steps as there are ranks, so P^2 messages: some steps are simulated, and
// the rest is told from them, with an estimate of the error.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/extrapolation/step_job.hpp"

namespace tutti::studies::extrapolation {

// Rings whose blocks differ, since the vector does not divide by the ranks: what a step takes
// depends on the block that passes, so no recurrence holds. Told from rings of equal blocks.

bool has_uneven_blocks(const std::vector<algorithms::StepPhase>& phases);

// As if all blocks were like the longest, which everyone waits for; how far that is off is told by
// a ring of the shortest ones (100 % where that is another algorithm). Counts are exact.
Result<Extrapolated> of_uneven_blocks(const StepJob& job, std::int64_t most_messages);

// Shorter calls are simulated in full: it takes a second or two.
inline constexpr std::int64_t fewest_messages = 1'000'000;
// Longer ones are extrapolated even if that is not exact ...
inline constexpr std::int64_t most_messages_in_full = 20'000'000;
// ... but up to here, some minutes, not if the error may be larger than this part of the time.
inline constexpr std::int64_t most_messages_for_accuracy = 100'000'000;
inline constexpr double accurate_error = 0.05;
// An answer that may be further off is none.
inline constexpr double most_error = 0.5;

// Why this call is simulated in full, however long it takes; empty: it may be extrapolated.
std::string obstacle(const Point& point);

// Of a point that may extrapolate, takes hours to simulate in full, and cannot be extrapolated:
// why, how long, and what would run it all the same.
std::optional<Error> too_long(const Point& point);
// How many messages are simulated at most, for estimates of time.
std::int64_t messages_to_simulate(const Point& point);

// Nothing: the call is short, something is in the way, or the whole can be afforded and a sample
// does not tell it well. An error: it cannot be afforded, and a sample does not tell it at all.
Result<std::optional<Extrapolated>> extrapolate(const Point& point,
                                                const platforms::Machine& machine,
                                                const platforms::Placement& placement,
                                                runtime::Observer* watcher);

}  // namespace tutti::studies::extrapolation
