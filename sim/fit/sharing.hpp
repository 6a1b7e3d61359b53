// SPDX-License-Identifier: BSD-3-Clause
// How cards and links are shared, from times of messages of many pairs at once: whether a card
// carries both directions at full speed, and whether something carries all pairs together. One rank
// a node.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/collective_table.hpp"
#include "workloads/ping_pong.hpp"

namespace tutti::studies {

struct SharedTime {
  workloads::SharedPattern pattern = workloads::SharedPattern::send;
  std::int64_t ranks = 0;
  Bytes message_bytes = 0;
  Seconds time_s = 0;
};

// Columns: pattern (send, sendrecv_same, sendrecv_diff, alltoall; other rows are none of these),
// active_ranks or ranks, bytes_per_message or message_bytes, t_median_s or time_s; a row without
// one of them is left out. Errors: no such rows, odd or too few ranks, numbers that are no times.
Result<ReadRows<SharedTime>> shared_times(const Table& table);

// By engine `flow`, a rank on each of the first nodes. Errors: fewer nodes than ranks.
Result<Seconds> simulated_time(const SharedTime& measured, const platforms::Machine& machine);

struct PatternRatio {
  workloads::SharedPattern pattern = workloads::SharedPattern::send;
  std::int64_t ranks = 0;
  double ratio = 0;  // time of a message over that of one way with as many ranks
};

struct Sharing {
  std::vector<PatternRatio> two_way;
  double two_way_factor = 0;  // their median; 1: full duplex, 2: half
  bool half_duplex = false;   // nearer to it
  bool clear = false;         // within a quarter of 1 or of 2
  // All pairs together, one way: the most that was seen, and whether it is a limit.
  double most_Bps = 0;
  std::int64_t most_ranks = 0;
  bool limited = false;
};

// Errors: no one-way times, or no others.
Result<Sharing> fit_sharing(const std::vector<SharedTime>& times);

}  // namespace tutti::studies
