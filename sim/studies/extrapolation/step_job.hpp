// SPDX-License-Identifier: BSD-3-Clause
// A point of which only some steps are run.
#pragma once

#include "algorithms/step_sample.hpp"
#include "sim/base/common.hpp"
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

// What one step of an exchange loads the machine with, from the routes alone.

// If all ranks began the step at one time and each link were shared evenly.
struct StepLoad {
  Seconds latency_s = 0;          // of a message's route, mean
  Seconds bottleneck_s = 0;       // what the busiest link of a message's route needs, mean
  Seconds most_bottleneck_s = 0;  // the busiest link of all
};

class StepLoads {
 public:
  StepLoads(const StepJob& job, const algorithms::StepPhase& phase);

  StepLoad of(std::int64_t step);
  // Links that one step looks at, about.
  std::int64_t cost();

 private:
  // Messages of ranks in a row between the same two nodes.
  struct Bundle {
    std::int64_t messages;
    std::size_t end;  // of its links in routes_
  };
  void follow(std::int64_t step, StepLoad& load);
  Seconds byte_time(platforms::LinkId link);

  const StepJob& job_;
  const algorithms::StepPhase& phase_;
  std::vector<double> byte_time_s_;  // by link; below 0: not asked for yet
  std::vector<Seconds> busy_s_;      // by link
  std::vector<platforms::LinkId> routes_;
  std::vector<Bundle> bundles_;
  std::vector<platforms::LinkId> room_;
};

}  // namespace tutti::studies::extrapolation
