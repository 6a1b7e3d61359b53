// SPDX-License-Identifier: BSD-3-Clause
// Runs one point of collective I/O in this process.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/traffic_counter.hpp"
#include "sim/jobs/child_process.hpp"
#include "sim/jobs/io_record.hpp"

namespace tutti::jobs {

struct AggregatorAnswer {
  runtime::RankId rank = 0;
  platforms::HostId host = 0;
  io_models::AggregatorSpent spent;
};

struct IoAnswer {
  IoRecord record;
  // The messages of the shuffle and of ROMIO's lists, if requested.
  std::vector<engines::TrafficRow> traffic;
  // Times of each aggregator from its own arrival, ascending by rank, mean over repetitions; if
  // requested.
  std::vector<AggregatorAnswer> aggregators;
  std::vector<platforms::HostId> host_of;  // by rank, then the targets; if details are requested
  InsideAnswer inside;                     // ranks from procs on are the storage's targets
};

// `watcher`, if not null, observes the run as well.
Result<IoAnswer> run_point(const IoPoint& point, const platforms::Machine& machine,
                           runtime::Observer* watcher = nullptr);

// The machine with the servers of the point's storage; unset if it has no storage.
std::optional<platforms::Machine> machine_of(const IoPoint& point,
                                             const platforms::Machine& machine);

// Returns the record of the point with its description, without results; the engine is set if it
// was requested by name.
Result<IoRecord> describe_point(const IoPoint& point, const platforms::Machine& machine);

}  // namespace tutti::jobs
