// SPDX-License-Identifier: BSD-3-Clause
// Two-level collectives: inside groups of ranks (of a node, of a socket, or consecutive ranks) and
// among the leaders of the groups. CollectiveArgs::hierarchy defines the groups and the algorithm
// of each level. On three levels, the collective among the leaders of the sockets is again a
// two-level collective, with groups of leaders of one node.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::hierarchical {

extern const Algorithm bcast;
extern const Algorithm reduce;
extern const Algorithm allreduce;
extern const Algorithm allgather;
extern const Algorithm barrier;

}  // namespace tutti::algorithms::hierarchical
