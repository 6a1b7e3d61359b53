// SPDX-License-Identifier: BSD-3-Clause
// The alltoallv algorithms of Open MPI 4.1 (coll_base_alltoallv.c). The buffers are those of
// alltoall; CollectiveArgs::counts, if set, contains for each rank the size of each block that it
// sends. Empty blocks are sent as empty messages.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms::alltoallv {

extern const Algorithm basic_linear;
extern const Algorithm pairwise;
// MPICH's.
extern const Algorithm scattered;
extern const Algorithm pairwise_sendrecv_replace;

}  // namespace tutti::algorithms::alltoallv
