// SPDX-License-Identifier: BSD-3-Clause
// Extrapolates from the simulated cycles to all cycles.
#pragma once

#include "io_models/cycle_choice.hpp"
#include "io_models/message_times.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

// Estimates the time of all cycles, and its error, from windows of cycles.
//   The first window begins with the job and the last one ends with it: start-up and the last,
//   partial cycle are simulated and count once. The cycles between the windows take the mean pace
//   of the windows after the first, each measured in its second half. The error, relative to the
//   time, is `scale` times the root of the sum of squares of
//     t s / sqrt(n)  the standard error of the n windows' paces, t of Student (68 %, n - 1)
//     halves         by how much the windows' second halves differ from their first ones (drift)
//     trend          by how much a straight line through the paces rises over half of the windows
//     floor          3.5 % / sqrt(n)
//   weighted with the fraction of the time that is not simulated. If few ranks have the data of a
//   cycle, aggregators get out of step over more cycles than a window has, and the job speeds up:
//   the error is drift_scale times as large. If the engine merges events, aggregators may remain in
//   step, so that windows differ less than the job: the error is then at least 50 %. The true time
//   lies within twice the error in 95 % of jobs; README.md lists the coverage.

struct SampledTime {
  Seconds end_s = 0;
  double error = 0;  // relative
};

struct SampledEnds {
  std::span<const Seconds> of_step;  // when all aggregators have completed it and all earlier steps
  Seconds last_s = 0;                // when the last rank ended
  bool has_few_sources = false;      // fewer than one rank for two aggregators in a cycle
};

// `choice` must be a sample of at least three windows.
SampledTime sampled_time(const CycleChoice& choice, const SampledEnds& ends);

struct IoTimes {
  // The time that each aggregator spent since the job's start.
  std::vector<AggregatorSpent> spent;
  Seconds end_s = 0;  // when the last rank ends
  // Method `sampled`: estimated relative error of end_s.
  std::optional<double> sampling_error;
};

// A simulated job.
struct SimulatedCycles {
  const CycleChoice& choice;
  const ShuffleJob& job;       // must record the end of each step; of several calls, the first one
  const MessageTimes* dates;   // method `repeated`
  Seconds end_s = 0;           // when the last rank ended
  bool merges_events = false;  // in windows of time (engines::Job)
  // By step, if the steps of the choice are calls: when all ranks have completed it. Empty: the
  // steps are the job's cycles, whose ends `job` records.
  std::span<const Seconds> of_calls = {};
};

// The result is unset if the runs of equal cycles are not steady: the job must then be simulated
// in full.
std::optional<IoTimes> extrapolate(const SimulatedCycles& simulated);

}  // namespace tutti::io_models
