// SPDX-License-Identifier: BSD-3-Clause
// Several jobs on one machine at the same time. Each job calls one collective several times, back
// to back, from its own start. The jobs run in one simulation, on one placement of all their ranks;
// a job alone runs on the same placement, while the other ranks do nothing.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/jobs/point.hpp"

namespace tutti::jobs {

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
  Seconds total_s() const { return std::accumulate(call_s.begin(), call_s.end(), 0.0); }
  Seconds mean_s() const { return total_s() / static_cast<double>(call_s.size()); }
  Seconds max_s() const { return std::ranges::max(call_s); }
};

struct JobsOutcome {
  std::vector<JobTimes> times;  // by job; of a job that did not run without calls
  std::int64_t messages = 0;    // of all jobs that ran
};

// The placement of the ranks of all jobs; those of a job are consecutive, in the order of the jobs.
platforms::Placement placement_of(const JobMix& mix);

// Simulates the job of this number, or all jobs if it is unset, in this process. All ranks of a job
// start at its `start_s`. Local work has the working set of the job's call. Errors are those of the
// simulation: deadlocks, messages that were not received.
Result<JobsOutcome> run_jobs(const JobMix& mix, engines::EngineKind engine,
                             std::optional<std::size_t> only = {},
                             runtime::Observer* observer = nullptr);

}  // namespace tutti::jobs
