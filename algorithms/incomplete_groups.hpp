// SPDX-License-Identifier: BSD-3-Clause
// Recursive doubling for process counts that are no powers of two: in the step of `mask` ranks v
// and v xor mask are partners; in the last group of 2 * mask ranks some have none.
#pragma once

#include "algorithms/trees.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms {

// 64 bits, as v + 2^j may pass 2^31.
using Shifted = std::int64_t;

inline Shifted round_down(Shifted v, Shifted multiple_of) { return v - v % multiple_of; }

// The ranks of a group of `2 * mask` of which only some had a partner in this step: the first
// `holders` of the lower half have got what the upper half sends. It spreads among the lower half
// by halving: in the round of `distance`, v sends to v + distance.
struct Spread {
  Shifted holders;
  Slice data;
};

Task spread(Rank& me, trees::Position at, Shifted mask, Spread missing);
// Rounds until what `holders` ranks have has spread to all `mask` of a half group.
int spread_rounds(Shifted holders, Shifted mask);

// How many ranks have a partner in the step of `mask`.
Shifted ranks_with_partner(Shifted procs, Shifted mask);
// Messages of that step: one of each rank with a partner, and one to each rank that others of its
// half had to tell.
Shifted doubling_messages(Shifted procs, Shifted mask);

}  // namespace tutti::algorithms
