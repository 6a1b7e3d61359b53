// SPDX-License-Identifier: BSD-3-Clause
// How large each collective of a trace is. All of its members must call it with the same
// arguments, and a trace tells each rank's own part where its call ends: so this is known from a
// pass before. 24 bytes a collective, and the counts of v collectives, alike ones once.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "algorithms/counts.hpp"
#include "sim/replay/collectives.hpp"
#include "sim/replay/trace_scan.hpp"

namespace tutti::studies::replay {

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

}  // namespace tutti::studies::replay
