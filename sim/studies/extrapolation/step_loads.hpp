// SPDX-License-Identifier: BSD-3-Clause
// What one step of an exchange loads the machine with, from the routes alone.
#pragma once

#include <vector>

#include "sim/studies/extrapolation/step_job.hpp"

namespace tutti::studies::extrapolation {

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
