// SPDX-License-Identifier: BSD-3-Clause
// How much each rank computes in each instance of a program's imbalanced region.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::workloads::applications {

// How the load differs between ranks.
enum class LoadShape : std::uint8_t {
  linear,      // evenly from the first rank, which has the least, to the last one
  alternating  // odd ranks have more than even ones
};

struct LoadSpec {
  Seconds mean_s = 0;        // mean over the ranks of the time of one instance
  double imbalance = 0;      // the most loaded rank computes (1 + imbalance) times the mean
  double noise = 0;          // each instance takes up to this fraction more or less
  std::uint64_t seed = 1;    // of the noise
  bool is_balanced = false;  // every rank takes the mean over ranks of each instance
};

// All times are whole nanoseconds, the resolution of the traces, so that a balanced program and the
// balanced trace of another one can agree to the tick.
class Load {
 public:
  Load(const LoadSpec& spec, LoadShape shape, int ranks)
      : spec_(spec), shape_(shape), ranks_(ranks) {}

  // Time of the rank's n-th instance, in seconds.
  Seconds of(runtime::RankId rank, std::size_t instance);

 private:
  Seconds unbalanced(runtime::RankId rank, std::size_t instance) const;
  Seconds mean(std::size_t instance);

  LoadSpec spec_;
  LoadShape shape_;
  int ranks_;
  std::vector<Seconds> means_;  // by instance, as far as known
};

// Rounded to whole nanoseconds.
Seconds whole_nanoseconds(Seconds time_s);

}  // namespace tutti::workloads::applications
