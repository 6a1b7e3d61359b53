// SPDX-License-Identifier: BSD-3-Clause
// The reduce_scatter algorithms of Open MPI (coll_base_reduce_scatter.c and ..._block.c), with
// their message order and silent fallbacks, and published ones. Before the call, the `send_buffer`
// of each rank contains a vector of all ranks' blocks; afterwards, its `recv_buffer` contains its
// own block of the result.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {

// Recursive doubling over blocks of any sizes: see reduce_scatter_block::recursive_doubling.
Task reduce_scatter_by_doubling(Rank& me, RankBlocks blocks, bool commutative);
std::int64_t reduce_scatter_by_doubling_messages(const ModelArgs& args);

// Registry entries.
namespace reduce_scatter {
extern const Algorithm non_overlapping;
extern const Algorithm recursive_halving;
extern const Algorithm ring;
extern const Algorithm butterfly;
extern const Algorithm bine_static;
extern const Algorithm bine_send_remap;
extern const Algorithm bine_permute_remap;
extern const Algorithm bine_block_by_block;
extern const Algorithm bine_block_by_block_any_even;
extern const Algorithm swing;
extern const Algorithm circulant;
// MPICH's.
extern const Algorithm recursive_doubling;
extern const Algorithm noncommutative;
extern const Algorithm pairwise;
extern const Algorithm recexch;
}  // namespace reduce_scatter
namespace reduce_scatter_block {
extern const Algorithm basic_linear;
extern const Algorithm recursive_doubling;
extern const Algorithm recursive_halving;
extern const Algorithm butterfly;
extern const Algorithm circulant;
// MPICH's.
extern const Algorithm pairwise;
extern const Algorithm recexch;
}  // namespace reduce_scatter_block

}  // namespace tutti::algorithms
