// SPDX-License-Identifier: BSD-3-Clause
// Replays a trace on a simulated machine: messages and collectives are simulated by our engines and
// algorithms, with contention, eager limit and rendezvous. Computation takes the time of the trace
// and the hypothesis. Calls that neither send nor wait keep their recorded time.
//
// Receives get the same messages as in the trace, also those from any source. What a trace does not
// contain is assumed: datatypes are bytes, reductions are commutative, the blocks that a rank sends
// in an alltoallv have equal sizes. An MPI_Test* that completed a request waits for it. Calls that
// create communicators are barriers.
#pragma once

#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/replay/replay.hpp"
#include "sim/replay/smpi_selection.hpp"

namespace tutti::studies::replay {

struct PlatformModel {
  const platforms::Machine& machine;
  const platforms::Placement& placement;  // of all ranks of the trace
  // For collectives on all communicators; without rules: those of Open MPI 4.1.
  ReplaySelection selection = {};
  engines::EngineKind engine = engines::EngineKind::flow;  // any except ideal
  engines::Contention contention = engines::Contention::on;
};

// `sink` may be null. ReplayArgs::loggp is ignored. Errors: a deadlock, for example if sends were
// eager on the traced machine and are not on this one; an algorithm that does not support this
// number of ranks.
Result<ReplayResult> replay_on_platform(const workloads::traces::Trace& trace,
                                        const ReplayArgs& args, const PlatformModel& model,
                                        ReplaySink* sink = nullptr);

}  // namespace tutti::studies::replay
