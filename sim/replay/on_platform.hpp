// SPDX-License-Identifier: BSD-3-Clause
// Replays a trace on a simulated machine: messages and collectives are those of our engines and
// algorithms, with contention, eager limit and rendezvous; computation stays what the trace and the
// hypothesis say. Calls that send or wait for nothing take what they took.
//
// Receives keep the messages that they got in the trace, by any source. Not in a trace, so taken to
// be as stated: datatypes (bytes), reductions (commutative), the blocks that a rank of alltoallv
// sends (all alike). MPI_Test* that found something waits for it. Calls that make communicators are
// barriers.
#pragma once

#include "algorithms/selection/selection.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/replay/replay.hpp"

namespace tutti::studies::replay {

struct PlatformModel {
  const platforms::Machine& machine;
  const platforms::Placement& placement;  // of as many ranks as the trace has
  // Of all collectives, those of communicators as well; null: Open MPI 4.1's rules.
  std::shared_ptr<const algorithms::selection::Selection> selection = {};
  engines::EngineKind engine = engines::EngineKind::flow;  // not ideal
  engines::Contention contention = engines::Contention::on;
};

// `sink` may be null. ReplayArgs::loggp counts for nothing. Errors: ranks that wait for each other
// for ever, as where sends that were eager on the traced machine are not on this one; an algorithm
// that does not run among so many ranks.
Result<ReplayResult> replay_on_platform(const workloads::traces::Trace& trace,
                                        const ReplayArgs& args, const PlatformModel& model,
                                        ReplaySink* sink = nullptr);

}  // namespace tutti::studies::replay
