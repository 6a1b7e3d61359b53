// SPDX-License-Identifier: BSD-3-Clause
// Stores the new times of all events in a temporary file until the trace is written.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/unnamed_file.hpp"
#include "sim/replay/replay.hpp"
#include "workloads/traces/otf2_writer.hpp"

namespace tutti::studies::replay {

class TimeSpool : public ReplaySink, public workloads::traces::NewTimes {
 public:
  TimeSpool(std::size_t ranks, Ticks first) : first_(first), ranks_(ranks) {}

  void event(TraceRank rank, Ticks time, bool keeps) override;
  void message_bytes(TraceRank rank, std::uint64_t bytes) override;
  // Reading, after all events were stored.
  Ticks first() const override { return first_; }
  At next(TraceRank rank) override;
  // Restarts reading from the beginning.
  void rewind();

 private:
  static constexpr std::size_t block = 1024;
  struct OfRank {
    std::vector<Ticks> buffer;          // being filled, later being read
    std::vector<std::uint64_t> blocks;  // file offsets
    std::size_t in_last = 0;            // values in the last block, after all are written
    std::size_t next_block = 0;
    std::size_t at = 0;  // in the buffer
  };
  void push(OfRank& rank, Ticks value);
  Ticks pop(OfRank& rank);
  void refill(OfRank& rank);

  Ticks first_;
  UnnamedFile file_;
  std::vector<OfRank> ranks_;
};

}  // namespace tutti::studies::replay
