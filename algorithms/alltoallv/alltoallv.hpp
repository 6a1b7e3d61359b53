// SPDX-License-Identifier: BSD-3-Clause
// The alltoalls of blocks that differ of Open MPI 4.1 (coll_base_alltoallv.c). Buffers as in
// alltoall; CollectiveArgs::counts, if any, says how long each of the blocks is that a rank sends.
// Empty blocks are sent as empty messages.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::alltoallv {

extern const Algorithm basic_linear;
extern const Algorithm pairwise;

}  // namespace tutti::algorithms::alltoallv
