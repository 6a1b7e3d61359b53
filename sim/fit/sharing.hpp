// SPDX-License-Identifier: BSD-3-Clause
// How NICs and links are shared, from times of messages of many pairs at once: whether a NIC
// carries both directions at full speed, and whether a resource limits all pairs together. One rank
// per node.
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

// Reads the columns pattern (send, sendrecv_same, sendrecv_diff, alltoall; other rows are ignored),
// active_ranks or ranks, bytes_per_message or message_bytes, t_median_s or time_s; rows without one
// of these are skipped. Errors: no such rows, an odd number of ranks or fewer than two, invalid
// times.
Result<ReadRows<SharedTime>> shared_times(const Table& table);

// Simulates with engine `flow`, with one rank on each of the first nodes. Errors: fewer nodes than
// ranks.
Result<Seconds> simulated_time(const SharedTime& measured, const platforms::Machine& machine);

struct PatternRatio {
  workloads::SharedPattern pattern = workloads::SharedPattern::send;
  std::int64_t ranks = 0;
  // Time of a message divided by the time in one direction with the same number of ranks.
  double ratio = 0;
};

struct Sharing {
  std::vector<PatternRatio> two_way;
  double two_way_factor = 0;  // median of the ratios; 1: full duplex, 2: half duplex
  bool half_duplex = false;   // the factor is nearer to 2
  bool clear = false;         // the factor is within a quarter of 1 or of 2
  // Largest rate of all pairs together in one direction, the number of its ranks, and whether it is
  // a limit.
  double most_Bps = 0;
  std::int64_t most_ranks = 0;
  bool limited = false;
};

// Compares times in both directions with times in one. Errors: no times in one direction, or no
// other times.
Result<Sharing> fit_sharing(const std::vector<SharedTime>& times);

}  // namespace tutti::studies
