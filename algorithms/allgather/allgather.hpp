// SPDX-License-Identifier: BSD-3-Clause
// The allgather algorithms of Open MPI 4.1 (coll_base_allgather.c), with their message order, local
// copies and silent fallbacks. Before the call, the `send_buffer` of each rank contains its block
// of `message_bytes`; afterwards, the `recv_buffer` of each rank contains the blocks of all ranks,
// in rank order.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/models/message_cost.hpp"
#include "algorithms/rank_blocks.hpp"

namespace tutti::algorithms {

// Fallbacks of other algorithms.
Task allgather_bruck(Rank& me, CollectiveArgs args);
Seconds allgather_bruck_cost(const ModelArgs& args, const models::MessageCost& cost);
std::int64_t allgather_bruck_messages(const ModelArgs& args);

// These also work for blocks of different sizes and are used by allgatherv.
Task allgather_ring(Rank& me, CollectiveArgs args);
Seconds allgather_ring_cost(const ModelArgs& args, const models::MessageCost& cost);
std::int64_t allgather_ring_messages(const ModelArgs& args);
std::vector<StepPhase> allgather_ring_steps(const ModelArgs& args);
Task allgather_neighbor(Rank& me, CollectiveArgs args);
Seconds allgather_neighbor_cost(const ModelArgs& args, const models::MessageCost& cost);
std::int64_t allgather_neighbor_messages(const ModelArgs& args);
std::string_view allgather_neighbor_falls_back_to(const ModelArgs& args);
std::vector<StepPhase> allgather_neighbor_steps(const ModelArgs& args);
Task allgather_two_proc(Rank& me, CollectiveArgs args);
Seconds allgather_two_proc_cost(const ModelArgs& args, const models::MessageCost& cost);

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
}  // namespace allgather

}  // namespace tutti::algorithms
