// SPDX-License-Identifier: BSD-3-Clause
// From the cycles that were simulated to all of them.
#pragma once

#include <optional>
#include <vector>

#include "io_models/cycle_choice.hpp"
#include "io_models/message_dates.hpp"

namespace tutti::io_models {

struct IoTimes {
  // By aggregator, from the job's start.
  std::vector<AggregatorSpent> spent;
  Seconds end_s = 0;  // when the last rank ends
  // Method `sampled`: an estimate of the error of end_s, relative to it (sampled_time.hpp).
  std::optional<double> sampling_error;
};

// What was simulated.
struct SimulatedCycles {
  const CycleChoice& choice;
  const ShuffleJob& job;      // dates its steps
  const MessageDates* dates;  // method `repeated`
  Seconds end_s = 0;          // when the last rank ended
};

// Nothing: the runs of equal cycles are not steady (see SteadyRuns), and only the full job tells.
std::optional<IoTimes> extrapolate(const SimulatedCycles& simulated);

}  // namespace tutti::io_models
