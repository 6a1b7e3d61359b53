// SPDX-License-Identifier: BSD-3-Clause
// The barrier algorithms of Open MPI 4.1 (coll_base_barrier.c): messages are empty, and no rank
// leaves before the last one has arrived. Open MPI's synchronous final sends are simulated as
// standard sends: a rank leaves without waiting for the receiver.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms::barrier {

extern const Algorithm linear;
extern const Algorithm double_ring;
extern const Algorithm recursive_doubling;
extern const Algorithm bruck;
extern const Algorithm two_proc;
extern const Algorithm tree;
// MPICH's.
extern const Algorithm k_dissemination;
extern const Algorithm recexch;

}  // namespace tutti::algorithms::barrier
