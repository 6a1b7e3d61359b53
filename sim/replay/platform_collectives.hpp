// SPDX-License-Identifier: BSD-3-Clause
// Collectives of a trace: how large each is, and as calls of our algorithms.
#pragma once

#include <stdexcept>

#include "algorithms/counts.hpp"
#include "algorithms/selection/selection.hpp"
#include "sim/base/common.hpp"
#include "sim/replay/collectives.hpp"
#include "sim/replay/trace_scan.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::studies::replay {

// How large each collective of a trace is. All of its members must call it with the same
// arguments, and a trace tells each rank's own part where its call ends: so this is known from a
// pass before. 24 bytes a collective, and the counts of v collectives, alike ones once.
class CollectiveSizes {
 public:
  // `has_any`: false: the trace has no collectives, and is not read.
  CollectiveSizes(const workloads::traces::Trace& trace, bool has_any);

  struct Size {
    Bytes block_bytes = 0;  // bytes_per_rank: the largest of the members'
    // Where the blocks of members differ (gatherv, scatterv, allgatherv; alltoallv: of each to
    // every other one); null: they do not.
    const algorithms::Counts* counts = nullptr;
    bool is_whole = true;  // all members call it, and the same
  };
  Size of(const CollectiveNumber& number) const;
  // Some collectives have members that never call them, or call another one: "3 of MPI_COMM_WORLD".
  std::vector<std::string> incomplete() const;

 private:
  struct Instance {
    std::uint64_t block_bytes = 0;
    std::uint32_t calls = 0;
    std::uint32_t counts = workloads::traces::none;
    TraceRank root = workloads::traces::none;
    CollectiveOp op = CollectiveOp::other;
    bool differs = false;  // members call different ones
  };
  bool is_whole(std::size_t comm, const Instance& instance) const {
    return !instance.differs && instance.calls == definitions_.communicators[comm].members.size();
  }
  class Gathering;

  const workloads::traces::TraceDefinitions& definitions_;
  std::vector<std::vector<Instance>> instances_;  // by communicator, number
  std::vector<std::unique_ptr<const algorithms::Counts>> counts_;
};

// The algorithm that was asked for does not run among so many ranks.
struct DoesNotRun : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class PlatformCollectives {
 public:
  using Selection = algorithms::selection::Selection;

  // `definitions` outlive it.
  PlatformCollectives(const workloads::traces::TraceDefinitions& definitions,
                      std::shared_ptr<const Selection> selection);

  struct Call {
    CollectiveOp op = CollectiveOp::other;
    std::uint32_t comm = 0;
    std::uint32_t member = 0;
    std::uint32_t root = workloads::traces::none;  // member
    CollectiveSizes::Size size;
  };
  // May throw DoesNotRun.
  runtime::Task run(runtime::Rank& me, const Call& call);

  // Communicators for which the network's own collectives were asked, and cannot serve.
  std::size_t without_hardware() const { return without_hardware_; }

 private:
  struct Group {
    std::vector<runtime::RankId> list;
    bool is_world = false;
    bool is_known = false;
  };
  const Group& group_of(std::uint32_t comm);

  const workloads::traces::TraceDefinitions& definitions_;
  std::shared_ptr<const Selection> of_world_;
  std::shared_ptr<const Selection> of_others_;  // the network serves all ranks of the job only
  std::vector<Group> groups_;                   // by communicator, made when asked for
  std::size_t without_hardware_ = 0;
};

}  // namespace tutti::studies::replay
