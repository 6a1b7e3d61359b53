// SPDX-License-Identifier: BSD-3-Clause
// The allgatherv algorithms of Open MPI (coll_base_allgatherv.c). The buffers are those of
// allgather; CollectiveArgs::counts, if set, contains the block sizes. ring, neighbor, two_proc and
// sparbit are those of allgather (allgather/).
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms::allgatherv {

extern const Algorithm gather_and_bcast;  // "default"
extern const Algorithm bruck;
extern const Algorithm ring;
extern const Algorithm neighbor;
extern const Algorithm two_proc;
extern const Algorithm sparbit;
extern const Algorithm circulant;
// MPICH's.
extern const Algorithm recursive_doubling;
extern const Algorithm ring_mpich;
extern const Algorithm k_brucks;
extern const Algorithm recexch_doubling;
extern const Algorithm recexch_halving;

}  // namespace tutti::algorithms::allgatherv
