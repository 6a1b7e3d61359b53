// SPDX-License-Identifier: BSD-3-Clause
// A scan of a whole trace before its replay, in one pass, rank by rank. It finds the message of
// each receive, the cut events, and the times of the balanced instances.
#pragma once

#include <unordered_set>

#include "sim/base/common.hpp"
#include "sim/replay/call_kinds.hpp"
#include "sim/replay/device_queues.hpp"
#include "sim/replay/frames.hpp"
#include "sim/replay/lock_order.hpp"
#include "sim/replay/polling.hpp"
#include "sim/replay/receive_order.hpp"
#include "sim/replay/thread_waits.hpp"

namespace tutti::studies::replay {

// The n-th collective of a communicator, from 0; for a communicator with only one rank (such as
// MPI_COMM_SELF) also that rank.
struct CollectiveNumber {
  std::uint32_t comm = 0;
  TraceRank alone = workloads::traces::none;
  std::uint64_t number = 0;
  auto operator<=>(const CollectiveNumber&) const = default;
};

struct MessageCount {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

struct ScanOfRank {
  // Receives whose message differs from the order of completion: the message's number, by the
  // number of earlier completions.
  std::unordered_map<std::uint64_t, std::uint64_t> reordered;
  std::unordered_set<std::uint64_t> cut_posts;  // cut receives, by their position of posting
  std::vector<PollingLoop> loops;
};

struct TraceScan {
  std::vector<CallKind> kinds;  // by region
  std::vector<ScanOfRank> ranks;
  ByMessageKey<MessageCount> messages;
  std::unordered_set<MessageNumber, HashMessageNumber> cut_messages;
  std::set<CollectiveNumber> cut_collectives;
  // Exclusive times of the instances, by balance and rank.
  std::vector<std::vector<std::vector<Ticks>>> instances;
  // Of these, those that have not ended, and the number of the first one in the whole trace: above
  // 0 in a window. By balance and rank.
  std::vector<std::vector<std::size_t>> open_instances, first_instances;
  bool has_collectives = false;
  bool has_nonblocking = false;  // collectives
  DeviceQueues devices;          // empty if there are no streams
  LockOrder locks;
  ThreadWaits thread_waits;  // empty if no thread waits for another one at a lock
  // Regions that synchronize all ranks without a record of it: MPI_Finalize if every rank calls it
  // exactly once, MPI_File_write_all if no rank ends its n-th call before all have begun theirs.
  std::vector<bool> is_of_all;
  std::vector<std::uint64_t> matched;  // matching instances or messages, by part of the hypothesis
  std::vector<std::uint64_t> of_mpi;   // matching MPI calls, whose times the part does not change
  Parts inner_called = 0;              // scales whose `inner` some instance calls
  // Measurement overhead in all computation, and the pieces that are shorter than it.
  struct Perturbation {
    Ticks taken = 0;
    std::uint64_t pieces = 0;
    std::uint64_t short_pieces = 0;
  } perturbation;
  std::uint64_t incomplete_receives = 0;  // posted, but neither completed nor cancelled
};

TraceScan scan(const workloads::traces::Trace& trace, const Hypothesis& hypothesis);

// The calls of all ranks without a record of it, by region: whether the n-th calls of all ranks end
// after the last of them begins.
class CallsOfAll {
 public:
  CallsOfAll(std::size_t regions, std::size_t ranks) : regions_(regions), ranks_(ranks) {}

  void add(std::uint32_t region, TraceRank rank, Ticks enter, Ticks leave);
  bool synchronize(std::uint32_t region) const;

 private:
  struct Instance {
    Ticks last_enter = 0;
    Ticks first_leave = INT64_MAX;
    std::size_t ranks = 0;
  };
  struct OfRegion {
    std::vector<std::size_t> calls;  // by rank
    std::vector<Instance> instances;
  };
  std::vector<OfRegion> regions_;
  std::size_t ranks_;
};

// Target times of the balanced instances, in the shape of TraceScan::instances.
struct BalanceTargets {
  std::vector<std::vector<std::vector<Ticks>>> targets;
  std::vector<std::string> notes;  // about ranks with different numbers of instances
};
BalanceTargets balance_targets(const TraceScan& scan, const Hypothesis& hypothesis);

// Rules that apply to every piece of computation.
struct PieceRule {
  PieceRule(const workloads::traces::TraceDefinitions& definitions, const Hypothesis& hypothesis);
  Ticks latency;       // shorter pieces are not changed
  Ticks perturbation;  // overhead per piece: half of that of the events before and after it
  Ticks compensated(Ticks piece) const { return std::max<Ticks>(0, piece - perturbation); }
};

}  // namespace tutti::studies::replay
