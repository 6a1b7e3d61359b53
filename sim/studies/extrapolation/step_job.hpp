// SPDX-License-Identifier: BSD-3-Clause
// A point of which only some steps are run.
#pragma once

#include <vector>

#include "algorithms/step_sample.hpp"
#include "sim/base/result.hpp"
#include "sim/studies/point.hpp"

namespace tutti::studies::extrapolation {

struct Extrapolated {
  std::string method;  // "recurrence", "equal_blocks", "sampled"
  Seconds time_s = 0;  // when the last rank ends; then the mean and the first
  Seconds time_mean_s = 0;
  Seconds time_min_s = 0;
  double error = 0;  // estimate, relative to time_s
  runtime::MessageCounts counts;
  std::int64_t steps = 0;
  std::int64_t simulated_steps = 0;
};

// What does not change from sample to sample.
struct StepJob {
  const Point& point;
  const platforms::Machine& machine;
  const platforms::Placement& placement;
  std::vector<algorithms::StepPhase> phases;
  runtime::Observer* watcher = nullptr;  // sees every run

  runtime::RankId procs() const { return point.placement.procs; }
  std::int64_t all_steps() const;
};

struct SampledRun {
  algorithms::StepSample sample;
  std::vector<Seconds> end_s;  // by rank
  runtime::MessageCounts counts;

  std::int64_t simulated_steps(const StepJob& job) const;
};

// Of a call: none where none of its steps stand for others.
std::vector<algorithms::StepPhase> phases_of(const Point& point);

// Of every phase the first steps; all but the first quarter of them are dated.
std::vector<algorithms::StepSample::Chosen> first_steps_of(const StepJob& job, std::int64_t count);

Result<SampledRun> run(const StepJob& job, std::vector<algorithms::StepSample::Chosen> chosen);

// Of the whole call, from those of a sample: what its loops send is known.
runtime::MessageCounts counts_of_all(const StepJob& job, const SampledRun& run);

}  // namespace tutti::studies::extrapolation
