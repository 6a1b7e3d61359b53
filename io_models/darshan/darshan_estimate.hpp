// SPDX-License-Identifier: BSD-3-Clause
// Estimates the extents of calls whose offsets, or even lengths, a Darshan log does not contain.
#pragma once

#include "io_models/darshan/darshan_calls.hpp"

namespace tutti::io_models {

// Offsets and sums of bytes in use are at most this.
inline constexpr Bytes most_darshan_bytes = Bytes{1} << 60;
// The sum of two amounts; at most twice that bound, so that sums of many do not overflow.
inline std::int64_t bounded_sum(std::int64_t a, std::int64_t b) {
  return std::min(a + b, 2 * most_darshan_bytes);
}

// Sums of the counters of all ranks of a file at one layer; -1 as in DarshanCounters.
DarshanCounters darshan_totals(const DarshanFile& file, DarshanLayer layer);
inline const DarshanCounters::Operation& operation_of(const DarshanCounters& counters,
                                                      bool writes) {
  return writes ? counters.writes : counters.reads;
}

enum class DarshanLayout {
  ranks_in_turn,  // calls follow each other in the file, and in a call the ranks
  rank_blocks,    // each rank has a contiguous block, in rank order
};

// The layout that the counters suggest, which is described in a note.
DarshanLayout darshan_layout(const DarshanFile& file, DarshanCalls& calls);

// Places calls of known lengths; `of_rank[r]` has the lengths of rank r's calls.
std::vector<std::vector<Extent>> placed(const std::vector<std::vector<Bytes>>& of_rank,
                                        DarshanLayout layout);

// Lengths of each rank's calls from the counters at `calls.layer`: each rank's bytes in calls of
// the common size. Adds notes; fails if there are too many calls.
Result<std::vector<std::vector<Bytes>>> estimated_lengths(const DarshanLog& log,
                                                          const DarshanFile& file,
                                                          DarshanCalls& calls);

}  // namespace tutti::io_models
