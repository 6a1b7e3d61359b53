// SPDX-License-Identifier: BSD-3-Clause
// How unevenly computation is spread over the ranks, region by region.
#pragma once

#include <string>
#include <vector>

#include "sim/replay/message_key.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

// Exclusive times of a region that is no call of MPI, of the ranks that have it.
struct Imbalance {
  std::uint32_t region = 0;
  std::size_t ranks = 0;
  std::uint64_t instances = 0;  // of all ranks
  bool is_regular = false;      // each of these ranks has as many
  Ticks time = 0;               // of all ranks
  Ticks most = 0;               // of a rank
  // What balancing it can bring at most. Regular: what the slowest of each n-th instance takes
  // above their mean, summed up; else the slowest rank above the mean rank.
  Ticks excess = 0;

  // The slowest rank against the mean; 1: they take the same in sum.
  double ratio() const {
    return time == 0
               ? 1
               : static_cast<double>(most) * static_cast<double>(ranks) / static_cast<double>(time);
  }
};

struct TraceImbalances {
  std::vector<Imbalance> regions;  // the largest excess first
  Ticks outside = 0;               // all regions: what no hypothesis can name; of all ranks
  std::uint64_t messages = 0;      // sent point to point
  std::uint64_t empty_messages = 0;
  // In calls that transfer them, of the rank where that is most: about what their cut may bring.
  Ticks empty_messages_time = 0;
};

// One pass; memory: 24 bytes for each instance of the rank that has most of them.
TraceImbalances imbalances(const workloads::traces::Trace& trace);

}  // namespace tutti::studies::replay
