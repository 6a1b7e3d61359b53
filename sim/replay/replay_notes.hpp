// SPDX-License-Identifier: BSD-3-Clause
// Notes for the reader of a report about the trace and the hypothesis.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/call.hpp"
#include "sim/replay/collectives.hpp"
#include "sim/replay/replay.hpp"
#include "sim/replay/trace_scan.hpp"

namespace tutti::studies::replay {

// Members of a communicator that call different collectives as their n-th: no correct MPI
// program does that, so the trace is wrong, or not complete.

// The arguments that all members of a collective must agree on.
struct CollectiveCall {
  CollectiveOp op = CollectiveOp::other;
  TraceRank root = workloads::traces::none;  // none: unknown

  static CollectiveCall of(const Event& event);
  bool is_like(const CollectiveCall& other) const;
  std::string name() const;  // "MPI_Bcast"
};

class CollectiveMismatches {
 public:
  // Looks at the event with which the rank ends the instance, which another rank may have entered
  // first.
  void look_at(const CollectiveNumber& number, const CollectiveInstance& instance, TraceRank rank,
               const Event& event, const workloads::traces::TraceDefinitions& definitions);
  // A sentence; empty if all match.
  std::optional<std::string> note() const;

 private:
  std::string first_;
  std::uint64_t calls_ = 0;
};

// Sentences about messages without a counterpart, parts of the hypothesis that match only MPI
// calls, and ranks with different numbers of instances.
std::vector<std::string> replay_notes(const TraceScan& scan, const BalanceTargets& targets,
                                      const Hypothesis& hypothesis,
                                      const workloads::traces::TraceDefinitions& definitions);

// Sentences about parts of the hypothesis that match nothing, with the nearest names of regions.
std::vector<std::string> unmatched_parts(const TraceScan& scan, const Hypothesis& hypothesis,
                                         const workloads::traces::TraceDefinitions& definitions);

// A sentence about changed message sizes; empty if there are none.
std::optional<std::string> resized_note(const ReplayResult::Resized& resized);

// A sentence: the rank's call waits for an event that never comes.
std::string waits_in_vain(const Call& call, TraceRank rank,
                          const workloads::traces::TraceDefinitions& definitions,
                          const CallPaths& paths);

// The same for a deadlock, with the events that block the call.
std::string waits_for_ever(const Call& call, TraceRank rank,
                           const workloads::traces::TraceDefinitions& definitions,
                           const CallPaths& paths);

}  // namespace tutti::studies::replay
