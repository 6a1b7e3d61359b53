// SPDX-License-Identifier: BSD-3-Clause
// The gather of blocks that differ of Open MPI 4.1 (coll_basic_gatherv.c). Buffers as in gather;
// CollectiveArgs::counts, if any, says how long the blocks are.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::gatherv {

extern const Algorithm linear;

}  // namespace tutti::algorithms::gatherv
