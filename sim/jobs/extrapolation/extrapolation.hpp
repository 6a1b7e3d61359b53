// SPDX-License-Identifier: BSD-3-Clause
// Extrapolates calls with about as many steps as ranks, hence P^2 messages: some steps are
// simulated, and the rest is extrapolated from them, with an error estimate.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/extrapolation/step_job.hpp"

namespace tutti::jobs::extrapolation {

// Rings with unequal blocks, because the vector is not divisible by the number of ranks. The time
// of a step depends on the block, so no recurrence applies; they are extrapolated from rings of
// equal blocks.

bool is_uneven_ring(const std::vector<algorithms::StepPhase>& phases);

// Treats all blocks as the longest, for which every rank waits; the error is estimated by a ring of
// the shortest blocks (100 % if that is another algorithm). Message counts are exact.
Result<Extrapolated> of_uneven_blocks(const StepJob& job, std::int64_t most_messages);

// Calls with fewer messages are simulated in full, which takes a second or two.
inline constexpr std::int64_t fewest_messages = 1'000'000;
// Calls with more messages are extrapolated even if that is not exact ...
inline constexpr std::int64_t most_messages_in_full = 20'000'000;
// ... but up to this number (some minutes) only if the estimated error is at most this fraction.
inline constexpr std::int64_t most_messages_for_accuracy = 100'000'000;
inline constexpr double accurate_error = 0.05;
// A call with a larger estimated error is rejected.
inline constexpr double most_error = 0.5;

// Why this call is simulated in full, however long it takes; empty if it may be extrapolated.
std::string obstacle(const Point& point);

// An error if the point allows extrapolation, but cannot be extrapolated and takes hours to
// simulate in full: the reason, the time, and how to run it anyway.
std::optional<Error> too_long(const Point& point);
// The number of messages at once if groups of ranks are simulated (rank_groups.hpp); unset if the
// call is not extrapolated from them.
std::optional<std::int64_t> messages_of_groups(const Point& point,
                                               const platforms::Machine& machine);
// Maximum number of simulated messages, for estimates of time.
std::int64_t messages_to_simulate(const Point& point);

// Unset if the call should be simulated in full: it is short, there is an obstacle, or it is
// affordable and a sample is not accurate enough. An error if it is too long and a sample is too
// inaccurate.
Result<std::optional<Extrapolated>> extrapolate(const Point& point,
                                                const platforms::Machine& machine,
                                                const platforms::Placement& placement,
                                                runtime::Observer* watcher);

// Extrapolates loops in which every step has the same peers (rings, neighbor exchange): the first
// steps are simulated, and a recurrence learned from them is applied to the remaining steps.

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

// Extrapolates loops in which the peers change with every step (pairwise exchange): some windows of
// steps are simulated, and the times of the other steps are estimated from their load on the
// machine.
//
// Steps overlap, and their times depend on how far the ranks have drifted apart. Therefore the
// first steps are simulated in order, windows continue from the state of the ranks, and only the
// second half of each window is used.

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
