// SPDX-License-Identifier: BSD-3-Clause
// Runs a program (workloads/applications) on a simulated machine and records its trace.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/jobs/jobs.hpp"
#include "workloads/applications/application.hpp"

namespace tutti::jobs {

struct TracedJob {
  const workloads::applications::Application* application = nullptr;
  workloads::applications::ApplicationArgs args;
  platforms::PlacementRequest placement;
  engines::EngineKind engine = engines::EngineKind::flow;  // timed
  engines::Contention contention = engines::Contention::on;
};

struct RecordedRun {
  workloads::traces::Trace trace;
  Seconds time_s = 0;  // of the last rank
  std::int64_t nodes = 0;
  std::int64_t ppn = 0;
  std::uint64_t messages = 0;  // sent by the program; without those of collectives
  std::uint64_t empty_messages = 0;
};

// "lb-coll, 32 processes".
std::string name_of(const TracedJob& job);

// Runs in this process; with engine simgrid only once per process. Errors name --procs, --ppn,
// --map or --selection, or are of kind run: a deadlock. `watcher`, if not null, observes the run.
Result<RecordedRun> record_run(const TracedJob& job, const platforms::Machine& machine,
                               runtime::Observer* watcher = nullptr);

}  // namespace tutti::jobs
