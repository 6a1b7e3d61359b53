// SPDX-License-Identifier: BSD-3-Clause
// How long a run still takes, estimated from messages.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::commands {

// A point that runs.
struct RunningWork {
  double messages = 0;    // expected
  double simulated = 0;   // of them, so far; 0 also where nobody counts
  Seconds running_s = 0;  // since its start
};

struct WorkLeft {
  double messages = 0;  // of all points without an answer, those that run included
  std::vector<RunningWork> running = {};
  int jobs = 1;
  Seconds per_message_s = 0;  // of one core, learned from other points; 0: not known
};

// Points take the learned time, those that run what is left of it, or longer at their own pace: the
// estimate falls while a long point runs. Nothing where no pace is known.
std::optional<Seconds> time_left(const WorkLeft& work);

}  // namespace tutti::commands
