// SPDX-License-Identifier: BSD-3-Clause
// The broadcast algorithms of Open MPI (coll_base_bcast.c), with their message order and silent
// fallbacks, and published ones. Before the call, the root's `recv_buffer` contains the message;
// afterwards, the `recv_buffer` of each rank does.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {

// Fallbacks of other algorithms.
Task bcast_chain(Rank& me, CollectiveArgs args);
Seconds bcast_chain_cost(const ModelArgs& args, const models::MessageCost& cost);
models::StageForm bcast_chain_stages(const ModelArgs& args, const models::Gamma& gamma);

// Registry entries.
namespace bcast {
extern const Algorithm basic_linear;
extern const Algorithm chain;
extern const Algorithm pipeline;
extern const Algorithm split_binary_tree;
extern const Algorithm binary_tree;
extern const Algorithm binomial;
extern const Algorithm knomial;
extern const Algorithm scatter_allgather;
extern const Algorithm scatter_allgather_ring;
extern const Algorithm bine_lat;
extern const Algorithm bine_lat_reversed;
extern const Algorithm bine_lat_new;
extern const Algorithm bine_lat_i_new;
extern const Algorithm bine_bdw_static;
extern const Algorithm bine_bdw_remap;
extern const Algorithm circulant;
// MPICH's.
extern const Algorithm binomial_mpich;
extern const Algorithm scatter_recursive_doubling_allgather;
extern const Algorithm scatter_ring_allgather;
extern const Algorithm tree_kary;
extern const Algorithm tree_knomial_1;
extern const Algorithm tree_knomial_2;
extern const Algorithm circ_graph;
}  // namespace bcast

}  // namespace tutti::algorithms
