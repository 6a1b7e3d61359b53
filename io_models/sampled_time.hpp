// SPDX-License-Identifier: BSD-3-Clause
// From windows of cycles to the time of all cycles, and how far off that may be.
//   The first window begins with the job, the last one ends with it: start-up and the last, partial
//   cycle are simulated and count once. The cycles between the windows take the mean pace of the
//   windows after the first, each measured in its second half.
//   The error, relative to the time, is `scale` times the root of the sum of squares of
//     t s / sqrt(n)  the standard error of the n windows' paces, t of Student (68 %, n - 1)
//     halves         by how much the windows' second halves differ from their first ones (drift)
//     trend          by how much a straight line through the paces rises over half of the windows
//     floor          3.5 % / sqrt(n)
//   weighted with the part of the time that is not simulated. Where the data of a cycle are with
//   few ranks, aggregators get out of step over more cycles than a window has, and the job speeds
//   up: the error is drift_scale times that. The true time lies within twice the error in 95 % of
//   jobs: README.md has the coverage.
#pragma once

#include <span>

#include "io_models/cycle_choice.hpp"
#include "sim/base/units.hpp"

namespace tutti::io_models {

struct SampledTime {
  Seconds end_s = 0;
  double error = 0;  // relative
};

struct SampledEnds {
  std::span<const Seconds> of_step;  // when all aggregators have ended it and those before it
  Seconds last_s = 0;                // when the last rank ended
  bool has_few_sources = false;      // fewer than one rank for two aggregators in a cycle
};

// `choice` is a sample of at least three windows.
SampledTime sampled_time(const CycleChoice& choice, const SampledEnds& ends);

}  // namespace tutti::io_models
