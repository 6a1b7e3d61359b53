// SPDX-License-Identifier: BSD-3-Clause
// What several allgather algorithms share.
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

// Block i of `recv_buffer` is that of rank + i and moves to position rank + i.
void turn_blocks(Rank& me, Bytes block_bytes);

// Copies a rank's own block from the input to its place in the result.
inline void copy_own_block(Rank& me, const RankBlocks& blocks) {
  me.copy(blocks.block(me.id()), {.bytes = blocks.bytes(me.id()), .buffer = runtime::send_buffer});
}

}  // namespace tutti::algorithms
