// SPDX-License-Identifier: BSD-3-Clause
// The gatherv algorithm of Open MPI 4.1 (coll_basic_gatherv.c). The buffers are those of gather;
// CollectiveArgs::counts, if set, contains the block sizes.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms::gatherv {

extern const Algorithm linear;
extern const Algorithm linear_mpich;  // MPICH's

}  // namespace tutti::algorithms::gatherv
