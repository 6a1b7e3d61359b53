// SPDX-License-Identifier: BSD-3-Clause
// What a reader of a replay must know of the trace and the hypothesis.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/call.hpp"
#include "sim/replay/collectives.hpp"
#include "sim/replay/replay.hpp"
#include "sim/replay/trace_scan.hpp"

namespace tutti::studies::replay {

// Members of a communicator that call different collectives as their n-th: no correct MPI
// program does that, so the trace is wrong, or not complete.

// What all members of a collective must say alike.
struct CollectiveCall {
  CollectiveOp op = CollectiveOp::other;
  TraceRank root = workloads::traces::none;  // or not known

  static CollectiveCall of(const Event& event);
  bool is_like(const CollectiveCall& other) const;
  std::string name() const;  // "MPI_Bcast"
};

class CollectiveMismatches {
 public:
  // An event of the rank ends the instance, which another rank may have entered first.
  void look_at(const CollectiveNumber& number, const CollectiveInstance& instance, TraceRank rank,
               const Event& event, const workloads::traces::TraceDefinitions& definitions);
  // A sentence; nothing: all match.
  std::optional<std::string> note() const;

 private:
  std::string first_;
  std::uint64_t calls_ = 0;
};

// Sentences: messages without a counterpart, and parts of the hypothesis that match nothing, or
// ranks that differ in shape.
std::vector<std::string> replay_notes(const TraceScan& scan, const BalanceTargets& targets,
                                      const Hypothesis& hypothesis,
                                      const workloads::traces::TraceDefinitions& definitions);

// How much longer or shorter messages are; nothing: none is.
std::optional<std::string> resized_note(const ReplayResult::Resized& resized);

// That the rank's call waits for what never comes: its next event.
std::string waits_in_vain(const Call& call, TraceRank rank,
                          const workloads::traces::TraceDefinitions& definitions,
                          const CallPaths& paths);

// The same where nothing can go on without: which of its events keep the call.
std::string waits_for_ever(const Call& call, TraceRank rank,
                           const workloads::traces::TraceDefinitions& definitions,
                           const CallPaths& paths);

}  // namespace tutti::studies::replay
