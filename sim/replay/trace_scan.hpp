// SPDX-License-Identifier: BSD-3-Clause
// What must be known of a whole trace before it is replayed: which message each receive gets, what
// is cut, and how long the instances are that are balanced. One pass, rank by rank.
#pragma once

#include <unordered_set>

#include "sim/base/common.hpp"
#include "sim/replay/frames.hpp"
#include "sim/replay/receive_order.hpp"

namespace tutti::studies::replay {

// The n-th collective of a communicator, from 0 on; of one that has the caller alone also its rank.
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
  // Receives that get another message than the order of completion says: by the number of
  // completions before, the message's number.
  std::unordered_map<std::uint64_t, std::uint64_t> reordered;
  std::unordered_set<std::uint64_t> cut_posts;  // receives that are cut, in the order of posting
};

struct TraceScan {
  std::vector<ScanOfRank> ranks;
  ByMessageKey<MessageCount> messages;
  std::unordered_set<MessageNumber, HashMessageNumber> cut_messages;
  std::set<CollectiveNumber> cut_collectives;
  // By balance, rank: exclusive times of the instances.
  std::vector<std::vector<std::vector<Ticks>>> instances;
  bool has_collectives = false;
  std::vector<std::uint64_t> matched;  // by part of the hypothesis: instances, or messages
  std::vector<std::uint64_t> of_mpi;   // ... and calls of MPI, whose times are not its matter
  Parts inner_called = 0;              // scales whose `inner` some instance calls
  // Of all computation: what measuring is taken to cost, and the pieces that are not even so long.
  struct Perturbation {
    Ticks taken = 0;
    std::uint64_t pieces = 0;
    std::uint64_t short_pieces = 0;
  } perturbation;
  std::uint64_t incomplete_receives = 0;  // posted, and neither complete nor cancelled at the end
};

TraceScan scan(const workloads::traces::Trace& trace, const Hypothesis& hypothesis);

// What the instances of the balances get, in the same shape.
struct BalanceTargets {
  std::vector<std::vector<std::vector<Ticks>>> targets;
  std::vector<std::string> notes;  // ranks with other numbers of instances, or none
};
BalanceTargets balance_targets(const TraceScan& scan, const Hypothesis& hypothesis);

// What holds for every piece of computation.
struct PieceRule {
  PieceRule(const workloads::traces::TraceDefinitions& definitions, const Hypothesis& hypothesis);
  Ticks latency;       // below it a piece stays as it is
  Ticks perturbation;  // of a piece measuring takes so much: half of the event before, and behind
  Ticks compensated(Ticks piece) const { return std::max<Ticks>(0, piece - perturbation); }
};

}  // namespace tutti::studies::replay
