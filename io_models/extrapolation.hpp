// SPDX-License-Identifier: BSD-3-Clause
// From the cycles that were simulated to all of them.
#pragma once

#include <optional>
#include <vector>

#include "io_models/cycle_choice.hpp"
#include "io_models/shuffle.hpp"

namespace tutti::io_models {

struct IoTimes {
  // By aggregator, from the job's start.
  std::vector<AggregatorSpent> spent;
  Seconds end_s = 0;  // when the last rank ends
  // Method `sampled`: half the difference between the slowest and the fastest half of a window,
  // relative to the mean.
  std::optional<double> spread;
};

// `times` by aggregator, dated by steps; `end_s`: when the last rank of the simulated job ended.
// Nothing: the runs of equal cycles are not steady (the aggregators do not all take the same time
// from cycle to cycle, or their runs overlap), and only the full job tells.
std::optional<IoTimes> extrapolate(const CycleChoice& choice,
                                   const std::vector<AggregatorTimes>& times, Seconds end_s);

}  // namespace tutti::io_models
