// SPDX-License-Identifier: BSD-3-Clause
// The allgathers of blocks that differ of Open MPI 4.1 (coll_base_allgatherv.c). Buffers as in
// allgather; CollectiveArgs::counts, if any, says how long the blocks are. Ring, neighbour exchange
// and that of two processes are those of allgather (allgather/).
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::allgatherv {

extern const Algorithm gather_and_bcast;  // "default"
extern const Algorithm bruck;
extern const Algorithm ring;
extern const Algorithm neighbor;
extern const Algorithm two_proc;

}  // namespace tutti::algorithms::allgatherv
