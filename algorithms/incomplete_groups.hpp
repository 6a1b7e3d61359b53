// SPDX-License-Identifier: BSD-3-Clause
// Recursive doubling for process counts that are not powers of two: in step `mask`, ranks v and
// v xor mask are partners; in the last group of 2 * mask ranks some ranks have no partner.
#pragma once

#include "algorithms/trees.hpp"

namespace tutti::algorithms {

// 64 bits, since v + 2^j may exceed 2^31.
using Shifted = std::int64_t;

inline Shifted round_down(Shifted v, Shifted multiple_of) { return v - v % multiple_of; }

// The data that some ranks of an incomplete group of 2 * mask ranks lack because they had no
// partner in this step. The first `holders` ranks of the lower half have received it from the upper
// half. It spreads within the lower half by halving: in the round of `distance`, v sends to v +
// distance.
struct Spread {
  Shifted holders;
  Slice data;
};

Task spread(Rank& me, trees::Position at, Shifted mask, Spread missing);
// Number of rounds until the data of `holders` ranks have spread to all `mask` ranks of a half
// group.
int spread_rounds(Shifted holders, Shifted mask);

// Number of ranks with a partner in step `mask`.
Shifted ranks_with_partner(Shifted procs, Shifted mask);
// Number of messages of that step: one from each rank with a partner, and one to each rank that
// receives the data from its own half.
Shifted doubling_messages(Shifted procs, Shifted mask);

}  // namespace tutti::algorithms
