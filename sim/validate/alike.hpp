// SPDX-License-Identifier: BSD-3-Clause
// Times that may be those of another algorithm than their rows name. Libraries ignore a choice that
// they do not like, without a word: Cray MPICH's "recursive doubling" allreduces of 64 KiB and more
// take as long as Rabenseifner's to 1 % (HLC-Lab/pico, LUMI), Fujitsu MPI's "basic linear"
// broadcasts as long as its trinaryx6 at all ten sizes (Fugaku).
#pragma once

#include <string>
#include <vector>

#include "sim/validate/scoreboard.hpp"

namespace tutti::studies {

// Sizes of one algorithm in one run at which the prediction is off by more than 25 %, and the
// measured time within 2 % of that of another algorithm: one that Tutti predicts within 25 %, or a
// library's that Tutti does not have. Three sizes or more, and half of those at which it is off.
// Not those at which another implementation of the same algorithm takes as long.
struct AlikeTimes {
  MeasuredCollective first;  // that of the smallest size
  std::string other;         // as the file names it
  std::size_t sizes = 0;
  Bytes largest = 0;
  double simulated_over_measured = 0;  // the median of these sizes
};

struct FoundAlike {
  std::vector<AlikeTimes> all;
  std::vector<bool> rows;  // by time: it is one of these
};

// `others`: rows of algorithms that Tutti does not have, of the same files.
FoundAlike find_alike(const std::vector<ScoredTime>& times,
                      const std::vector<MeasuredCollective>& others);

}  // namespace tutti::studies
