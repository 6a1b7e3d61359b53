// SPDX-License-Identifier: BSD-3-Clause
// The reduce algorithms of Open MPI (coll_base_reduce.c), with their message order and silent
// fallbacks, and published ones. Before the call, the `send_buffer` of each rank contains its
// vector; afterwards, the root's `recv_buffer` contains the result.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {

// Registry entries.
namespace reduce {
extern const Algorithm linear;
extern const Algorithm chain;
extern const Algorithm pipeline;
extern const Algorithm binary;
extern const Algorithm binomial;
extern const Algorithm in_order_binary;
extern const Algorithm rabenseifner;
extern const Algorithm knomial;
extern const Algorithm bine_lat;
extern const Algorithm bine_bdw;
extern const Algorithm circulant;
// MPICH's.
extern const Algorithm binomial_mpich;
extern const Algorithm reduce_scatter_gather;
extern const Algorithm circ_graph;
}  // namespace reduce

}  // namespace tutti::algorithms
