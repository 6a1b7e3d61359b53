// SPDX-License-Identifier: BSD-3-Clause
// Writes a trace, with its own or new times, as SimGrid's time-independent trace for `smpirun
// -replay`. The time between calls that transfer data becomes computation; SimGrid computes the
// time of those calls.
#pragma once

#include <iosfwd>

#include "sim/base/common.hpp"
#include "sim/replay/collectives_ahead.hpp"
#include "sim/replay/trace_scan.hpp"
#include "workloads/traces/otf2_writer.hpp"

namespace tutti::studies::replay {

class TiExport {
 public:
  // `times` are the times of the events of the trace. Both must outlive this object.
  // `flops_per_s`: the speed of each rank's core.
  TiExport(const workloads::traces::Trace& trace, workloads::traces::NewTimes& times,
           std::vector<double> flops_per_s);

  // Writes the actions of a rank. Call once for each rank, in order.
  void write(TraceRank rank, std::ostream& to);

  // Sentences about what could not be represented. Call after all ranks are written.
  std::vector<std::string> notes() const;

 private:
  friend class RankExport;

  // SMPI's replay has one communicator: tags of others are renumbered, so that they do not collide.
  std::uint32_t tag(std::uint32_t comm, std::uint32_t tag);
  // Whether it has the ranks of the whole job, in order.
  bool is_world(std::uint32_t comm) const { return is_world_[comm]; }

  const workloads::traces::Trace& trace_;
  workloads::traces::NewTimes& times_;
  std::vector<double> flops_per_s_;  // by rank
  ByMessageKey<MessageCount> messages_;
  std::vector<bool> is_world_;
  std::uint32_t world_;  // the first communicator with all ranks
  // The blocks of a v collective of all ranks: bytes_per_rank of each.
  struct Blocks {
    std::uint64_t first = 0;           // of rank 0
    std::vector<std::uint64_t> all;    // by rank; empty: all are equal
    std::vector<std::uint32_t> lists;  // by rank: TraceDefinitions::blocks; empty: unknown
    std::uint64_t of(TraceRank rank) const { return all.empty() ? first : all[rank]; }
  };
  void take_blocks(TraceRank rank, const workloads::traces::Event& event, Blocks& blocks) const;

  // By communicator: the number of collectives that all members call, and the blocks of v
  // collectives, by their number.
  std::vector<std::uint64_t> collectives_;
  std::vector<std::unordered_map<std::uint64_t, Blocks>> blocks_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> tags_;
  std::uint64_t nonblocking_collectives_ = 0;
  std::uint64_t lost_messages_ = 0, other_collectives_ = 0, broken_collectives_ = 0;
  std::uint64_t even_collectives_ = 0;
};

}  // namespace tutti::studies::replay
