// SPDX-License-Identifier: BSD-3-Clause
// Estimates the remaining time of a run from numbers of messages.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::commands {

// A running point.
struct RunningWork {
  double messages = 0;    // expected number
  double simulated = 0;   // so far; 0 if they are not counted
  Seconds running_s = 0;  // since its start
};

struct WorkLeft {
  double messages = 0;  // of all unfinished points, including running ones
  std::vector<RunningWork> running = {};
  int jobs = 1;
  Seconds per_message_s = 0;  // on one core, learned from other points; 0: unknown
};

// Estimates the time until all points are finished. Waiting points take the learned time per
// message. Running points take the rest of it, or longer at their own pace, so the estimate falls
// while a long point runs. Returns nothing if no pace is known.
std::optional<Seconds> time_left(const WorkLeft& work);

}  // namespace tutti::commands
