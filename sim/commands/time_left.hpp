// SPDX-License-Identifier: BSD-3-Clause
// Estimates the remaining time of a run from the estimated times of its points, corrected by the
// times that points took.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/study_plan.hpp"

namespace tutti::commands {

// A running point.
struct RunningWork {
  Seconds estimated_s = 0;  // of the whole point; 0: unknown
  double done = 0;          // fraction of its messages that are simulated; 0: unknown
  Seconds running_s = 0;    // since its start
};

struct WorkLeft {
  Seconds estimated_s = 0;  // of all unfinished points, including running ones
  std::vector<RunningWork> running = {};
  int jobs = 1;
  jobs::FinishedWork finished = {};
};

// Estimates the time until all points are finished. The estimates are multiplied by the ratio of
// the times that finished points, and finished parts of running ones, took to their estimates; the
// ratio is closer to 1 the less these parts are compared with what is left. A running point takes
// the rest of its time, or longer at its own pace, so the result falls while a long point runs.
// Returns nothing if the estimates are unknown, or if a point takes longer than estimated and its
// progress does not show how much is left.
std::optional<Seconds> time_left(const WorkLeft& work);

}  // namespace tutti::commands
