// SPDX-License-Identifier: BSD-3-Clause
// The collectives of Open MPI's coll/han (Luo et al., "HAN: a Hierarchical AutotuNed Collective
// Communication Framework", CLUSTER 2020): low calls inside the nodes and up calls among the ranks
// with the root's index in their nodes. Blocking calls are those of coll/tuned, which decides by
// the size of the communicator; nonblocking up calls are those of coll/libnbc.
//
// `han` divides a vector into segments and overlaps the up calls of some with the low calls of
// others (sim/runtime/concurrent.hpp).
//
// The order of the nodes is that of their first ranks. In Open MPI it is that of the ranks with the
// root's index, which differs only for placements from a file.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::han {

extern const Algorithm bcast;
extern const Algorithm bcast_simple;
extern const Algorithm reduce;
extern const Algorithm reduce_simple;
extern const Algorithm reduce_reproducible;
extern const Algorithm allreduce;
extern const Algorithm allreduce_simple;
extern const Algorithm allreduce_reproducible;
extern const Algorithm allgather;
extern const Algorithm gather;
extern const Algorithm gatherv;
extern const Algorithm scatter;
extern const Algorithm scatterv;
extern const Algorithm barrier;

}  // namespace tutti::algorithms::han
