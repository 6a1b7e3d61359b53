// SPDX-License-Identifier: BSD-3-Clause
// A trace, as it is or with new times, as SimGrid's time independent trace: what `smpirun -replay`
// takes. What lies between calls that transfer something is computation; those calls take what
// SimGrid finds.
#pragma once

#include <iosfwd>

#include "sim/base/common.hpp"
#include "sim/replay/trace_scan.hpp"
#include "workloads/traces/otf2_writer.hpp"

namespace tutti::studies::replay {

class TiExport {
 public:
  // `times`: of the events of the trace; both outlive it.
  TiExport(const workloads::traces::Trace& trace, workloads::traces::NewTimes& times,
           double flops_per_s);

  // The actions of a rank: once for each rank, in their order.
  void write(TraceRank rank, std::ostream& to);

  // What could not be said, once all are written: sentences.
  std::vector<std::string> notes() const;

 private:
  friend class RankExport;

  // SMPI has one communicator: tags of others are numbered anew, so that they do not meet.
  std::uint32_t tag(std::uint32_t comm, std::uint32_t tag);
  // Whether it has the ranks of the whole job, in order.
  bool is_world(std::uint32_t comm) const { return is_world_[comm]; }

  const workloads::traces::Trace& trace_;
  workloads::traces::NewTimes& times_;
  double flops_per_tick_;
  ByMessageKey<MessageCount> messages_;
  std::vector<bool> is_world_;
  std::uint32_t world_;  // the first that is
  // By communicator: how many collectives all members have; of each that tells no counts of peers
  // the mean block, by its number.
  std::vector<std::uint64_t> collectives_;
  std::vector<std::unordered_map<std::uint64_t, std::uint64_t>> mean_blocks_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> tags_;
  std::uint64_t lost_messages_ = 0, other_collectives_ = 0, broken_collectives_ = 0;
  std::uint64_t even_collectives_ = 0;
};

}  // namespace tutti::studies::replay
