// SPDX-License-Identifier: BSD-3-Clause
// The collectives of a trace: their sizes, and their simulation by our algorithms.
#pragma once

#include <stdexcept>

#include "algorithms/counts.hpp"
#include "sim/base/common.hpp"
#include "sim/replay/collectives.hpp"
#include "sim/replay/smpi_selection.hpp"
#include "sim/replay/trace_scan.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::studies::replay {

// The size of each collective of a trace. All members must call it with the same arguments, but a
// trace contains each rank's own part only at the end of its call, so a separate pass gathers them.
// Memory: 24 bytes per collective, and the counts of v collectives, equal ones only once.
class CollectiveSizes {
 public:
  // If `has_any` is false, the trace has no collectives and is not read. `has_peers`: with the
  // blocks from each member to each one, whose memory is quadratic in the members.
  CollectiveSizes(const workloads::traces::Trace& trace, bool has_any, bool has_peers);

  struct Size {
    Bytes block_bytes = 0;  // bytes_per_rank: the largest of all members
    // Set if the blocks of the members differ (gatherv, scatterv, allgatherv, reduce_scatter; for
    // alltoallv the blocks from each member to every other one, or to each one if the trace has
    // them); null if they are equal.
    const algorithms::Counts* counts = nullptr;
    bool is_whole = true;  // all members call it, with the same operation and root
  };
  Size of(const CollectiveNumber& number) const;
  // Collectives that some members never call, or call differently: "3 of MPI_COMM_WORLD".
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

// Thrown if the requested algorithm does not support this number of ranks.
struct DoesNotRun : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class PlatformCollectives {
 public:
  using Selection = algorithms::selection::Selection;

  // `definitions` must outlive this object.
  PlatformCollectives(const workloads::traces::TraceDefinitions& definitions,
                      ReplaySelection selection);

  struct Call {
    std::uint32_t member = 0;
    std::uint32_t root = workloads::traces::none;  // member
    CollectiveSizes::Size size;
  };
  // Runs the collective that `event` ends on this rank. May throw DoesNotRun.
  runtime::Task run(runtime::Rank& me, const Event& event, Call call);

  // Number of communicators for which hardware collectives were requested but are not available.
  std::size_t without_hardware() const { return without_hardware_; }

 private:
  struct Group {
    std::vector<runtime::RankId> list;
    bool is_world = false;
    bool is_known = false;
  };
  const Group& group_of(std::uint32_t comm);

  const workloads::traces::TraceDefinitions& definitions_;
  std::set<std::string, std::less<>> as_smpi_;
  std::shared_ptr<const Selection> of_world_;
  std::shared_ptr<const Selection>
      of_others_;              // without hardware, which needs all ranks of the job
  std::vector<Group> groups_;  // by communicator, built on first use
  std::size_t without_hardware_ = 0;
};

}  // namespace tutti::studies::replay
