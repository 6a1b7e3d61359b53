// SPDX-License-Identifier: BSD-3-Clause
// Runs one point of collective I/O.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/traffic_counter.hpp"
#include "sim/studies/child_process.hpp"
#include "sim/studies/io_record.hpp"

namespace tutti::studies {

struct AggregatorAnswer {
  runtime::RankId rank = 0;
  platforms::HostId host = 0;
  io_models::AggregatorSpent spent;
};

struct IoAnswer {
  IoRecord record;
  // The messages of the shuffle and of ROMIO's lists; if the point wants them.
  std::vector<engines::TrafficRow> traffic;
  // By aggregator, ascending by rank, of a call from its own arrival on (of several the mean); if
  // the point wants them.
  std::vector<AggregatorAnswer> aggregators;
  std::vector<platforms::HostId> host_of;  // by rank, then the targets; if the point looks inside
  InsideAnswer inside;                     // ranks from procs on are the storage's targets
};

// `watcher`, if any, sees the run as well.
Result<IoAnswer> run_io(const IoPoint& point, const platforms::Machine& machine,
                        runtime::Observer* watcher = nullptr);

// With the servers of the point's storage; nothing where it has none.
std::optional<platforms::Machine> machine_of(const IoPoint& point,
                                             const platforms::Machine& machine);

// What is simulated, without an answer; the engine is told where it was named.
Result<IoRecord> described(const IoPoint& point, const platforms::Machine& machine);

}  // namespace tutti::studies
