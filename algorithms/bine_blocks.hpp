// SPDX-License-Identifier: BSD-3-Clause
// Runs of blocks of the ranks of a Bine butterfly or tree: after steps 0 .. s-1, the 2^s blocks
// that a rank has are contiguous on the ring of ranks (allgather, gather, scatter).
#pragma once

#include "algorithms/bine.hpp"
#include "algorithms/cyclic_run.hpp"

namespace tutti::algorithms::bine {

// The number of ranks below rank v in its run before `step`: of steps 0, 2, ... even ranks have the
// blocks above, of steps 1, 3, ... those below, and odd ranks the opposite.
std::int64_t blocks_below(RankId v, int step);

// The run of a rank before `step`; ranks are shifted by the root.
CyclicRun subtree_blocks(const RankBlocks& blocks, const trees::Position& at, int step);

// One piece, or two if the run wraps around.
std::vector<Slice> pieces_of(const CyclicRun& run, std::int32_t buffer);

// Number of messages of a gather up the tree of decreasing distances: P-1, and one more for each
// run that wraps around after the last rank.
std::int64_t subtree_blocks_messages(const ModelArgs& args);
// Derived: hop(2^s m) for s = 0 .. D-1.
Seconds subtree_blocks_cost(const ModelArgs& args, const models::MessageCost& cost);

}  // namespace tutti::algorithms::bine
