// SPDX-License-Identifier: BSD-3-Clause
// Stores the events of many ranks that are recorded in turn, until an EventStore takes them rank by
// rank. Only one block per rank is in memory; full blocks are in a temporary file.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/unnamed_file.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

class EventSpool {
 public:
  explicit EventSpool(std::size_t ranks) : ranks_(ranks) {}

  // Throws std::system_error if the temporary file cannot be written.
  void append(TraceRank rank, const Event& event);
  std::uint64_t count() const { return count_; }
  // The finished store of all events; the spool is empty afterwards.
  EventStore take();

 private:
  static constexpr std::size_t block_bytes = 8192;
  struct OfRank {
    std::vector<std::byte> block;              // allocated with the first event
    std::size_t used = 0;                      // of the block
    std::vector<std::uint64_t> full_blocks;    // file offsets
    std::vector<std::uint16_t> bytes_of_full;  // without the unused end of each block
  };
  void flush(OfRank& rank);

  std::vector<OfRank> ranks_;
  std::optional<UnnamedFile> file_;  // unset: no block is full yet
  std::uint64_t count_ = 0;
};

}  // namespace tutti::workloads::traces
