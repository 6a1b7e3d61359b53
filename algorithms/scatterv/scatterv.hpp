// SPDX-License-Identifier: BSD-3-Clause
// The scatter of blocks that differ of Open MPI 4.1 (coll_basic_scatterv.c). Buffers as in scatter;
// CollectiveArgs::counts, if any, says how long the blocks are.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::scatterv {

extern const Algorithm linear;

}  // namespace tutti::algorithms::scatterv
