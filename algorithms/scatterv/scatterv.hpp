// SPDX-License-Identifier: BSD-3-Clause
// The scatterv algorithm of Open MPI 4.1 (coll_basic_scatterv.c). The buffers are those of scatter;
// CollectiveArgs::counts, if set, contains the block sizes.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms::scatterv {

extern const Algorithm linear;
extern const Algorithm linear_mpich;  // MPICH's

}  // namespace tutti::algorithms::scatterv
