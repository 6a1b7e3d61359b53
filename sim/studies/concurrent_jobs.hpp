// SPDX-License-Identifier: BSD-3-Clause
// Several jobs on one machine at the same time. Each job calls one collective several times, back
// to back, from its own start. The jobs run in one simulation, on one placement of all their ranks;
// a job alone runs on the same placement, while the other ranks do nothing.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/studies/point.hpp"

namespace tutti::studies {

struct ConcurrentJob {
  std::string name;
  Point point;  // its call and placement
  platforms::Placement placement = {};
  Seconds start_s = 0;
  int repeat = 1;  // number of calls
};

struct JobMix {
  platforms::Machine machine;
  std::vector<ConcurrentJob> jobs;
};

// The times of a job's calls: a call ends when the last rank of the job has ended it, and the time
// of a call is from the end of the previous one, or from the start of the job. Thus their sum is
// the time of the job.
struct JobTimes {
  std::vector<Seconds> call_s = {};  // by call; empty in an untimed engine
  Seconds mean_s() const {
    return std::accumulate(call_s.begin(), call_s.end(), 0.0) / static_cast<double>(call_s.size());
  }
  Seconds max_s() const { return std::ranges::max(call_s); }
};

struct JobsOutcome {
  std::vector<JobTimes> times;  // by job; of a job that did not run without calls
  std::int64_t messages = 0;    // of all jobs that ran
};

// Simulates the job of this number, or all jobs if it is unset, in this process. All ranks of a job
// start at its `start_s`. Local work of all jobs has the largest working set of the calls. Errors
// are those of the simulation: deadlocks, messages that were not received.
Result<JobsOutcome> run_jobs(const JobMix& mix, engines::EngineKind engine,
                             std::optional<std::size_t> only = {});

}  // namespace tutti::studies
