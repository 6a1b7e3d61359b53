// SPDX-License-Identifier: BSD-3-Clause
// The allgather algorithms of Open MPI (coll_base_allgather.c), with their message order, local
// copies and silent fallbacks, and published ones. Before the call, the `send_buffer` of each rank
// contains its block of `message_bytes`; afterwards, the `recv_buffer` of each rank contains the
// blocks of all ranks, in rank order.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {

// Fallbacks of other algorithms.
Task allgather_bruck(Rank& me, CollectiveArgs args);
Seconds allgather_bruck_cost(const ModelArgs& args, const models::MessageCost& cost);

// These also work for blocks of different sizes.
Task allgather_ring(Rank& me, CollectiveArgs args);
Seconds allgather_ring_cost(const ModelArgs& args, const models::MessageCost& cost);
std::vector<StepPhase> allgather_ring_steps(const ModelArgs& args);
Task allgatherv_sparbit(Rank& me, CollectiveArgs args);  // does not send empty blocks

// Block i of `recv_buffer` is that of rank + i and moves to position rank + i.
void turn_blocks(Rank& me, Bytes block_bytes);

// Copies a rank's own block from the input to its place in the result.
inline void copy_own_block(Rank& me, const RankBlocks& blocks) {
  me.copy(blocks.block(me.id()), {.bytes = blocks.bytes(me.id()), .buffer = runtime::send_buffer});
}

// Registry entries.
namespace allgather {
extern const Algorithm linear;
extern const Algorithm bruck;
extern const Algorithm recursive_doubling;
extern const Algorithm ring;
extern const Algorithm neighbor;
extern const Algorithm two_proc;
extern const Algorithm sparbit;
extern const Algorithm direct_messaging;
extern const Algorithm k_bruck;
extern const Algorithm bine_permute_remap;
extern const Algorithm bine_permute_static;
extern const Algorithm bine_send_remap;
extern const Algorithm bine_send_static;
extern const Algorithm bine_2_blocks;
extern const Algorithm bine_2_blocks_dtype;
extern const Algorithm bine_block_by_block;
extern const Algorithm bine_block_by_block_any_even;
extern const Algorithm swing;
extern const Algorithm circulant;
// MPICH's.
extern const Algorithm k_brucks;
extern const Algorithm recexch_doubling;
extern const Algorithm recexch_halving;
extern const Algorithm circ_graph;
}  // namespace allgather

}  // namespace tutti::algorithms
