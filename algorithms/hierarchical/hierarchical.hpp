// SPDX-License-Identifier: BSD-3-Clause
// Collectives on two levels: inside groups of ranks (a node's, or consecutive ones) and among one
// leader of each. CollectiveArgs::hierarchy says how the ranks are cut and what runs on each level.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::hierarchical {

extern const Algorithm bcast;
extern const Algorithm reduce;
extern const Algorithm allreduce;
extern const Algorithm allgather;
extern const Algorithm barrier;

}  // namespace tutti::algorithms::hierarchical
