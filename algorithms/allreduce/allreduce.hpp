// SPDX-License-Identifier: BSD-3-Clause
// The allreduce algorithms of Open MPI (coll_base_allreduce.c), with their message order and silent
// fallbacks, and published ones. Before the call, the `send_buffer` of each rank
// contains its vector; afterwards, the `recv_buffer` of each rank contains the result.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {

// Fallbacks of other algorithms.
Task allreduce_recursive_doubling(Rank& me, CollectiveArgs args);
Seconds allreduce_recursive_doubling_cost(const ModelArgs& args, const models::MessageCost& cost);
std::int64_t allreduce_recursive_doubling_messages(const ModelArgs& args);
Task allreduce_ring(Rank& me, CollectiveArgs args);
Seconds allreduce_ring_cost(const ModelArgs& args, const models::MessageCost& cost);
std::int64_t allreduce_ring_messages(const ModelArgs& args);
// Returns "recursive_doubling" if there are fewer elements than ranks.
std::string_view allreduce_ring_fallback(const ModelArgs& args);
bool allreduce_ring_runs(const ModelArgs& args);
std::vector<StepPhase> allreduce_ring_steps(const ModelArgs& args);

// Registry entries.
namespace allreduce {
extern const Algorithm basic_linear;
extern const Algorithm nonoverlapping;
extern const Algorithm recursive_doubling;
extern const Algorithm ring;
extern const Algorithm segmented_ring;
extern const Algorithm rabenseifner;
extern const Algorithm redscat_allgather;
extern const Algorithm reduce_scatter_allgather;
extern const Algorithm allgather_reduce;
extern const Algorithm bine_lat;
extern const Algorithm bine_bdw_static;
extern const Algorithm bine_bdw_remap;
extern const Algorithm bine_bdw_remap_segmented;
extern const Algorithm bine_block_by_block_any_even;
extern const Algorithm swing_lat;
extern const Algorithm swing_bdw;
extern const Algorithm circulant;
// MPICH's.
extern const Algorithm reduce_scatter_allgather_mpich;
extern const Algorithm recexch;
extern const Algorithm ring_mpich;
extern const Algorithm recursive_multiplying;
extern const Algorithm k_reduce_scatter_allgather;
extern const Algorithm tree_kary;
extern const Algorithm tree_knomial_1;
extern const Algorithm tree_knomial_2;
extern const Algorithm circ_graph;
}  // namespace allreduce

}  // namespace tutti::algorithms
