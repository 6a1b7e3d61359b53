// SPDX-License-Identifier: BSD-3-Clause
// The alltoall algorithms of Open MPI (coll_base_alltoall.c), and published ones. Before the call,
// the
// `send_buffer` of each rank contains a block of `message_bytes` for each rank; afterwards, its
// `recv_buffer` contains a block from each rank, in rank order.
#pragma once

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {

// In step s = 1 .. P-1 each rank sends to rank + s and receives from rank - s; does not copy its
// own block. Blocks may differ in size.
Task exchange_pairwise(Rank& me, CollectiveArgs args);
std::vector<StepPhase> exchange_pairwise_steps(const ModelArgs& args);
// Registry entries.
namespace alltoall {
extern const Algorithm linear;
extern const Algorithm pairwise;
extern const Algorithm modified_bruck;
extern const Algorithm linear_sync;
extern const Algorithm two_proc;
extern const Algorithm bine;
// MPICH's.
extern const Algorithm scattered;
extern const Algorithm pairwise_mpich;
extern const Algorithm pairwise_sendrecv_replace;
extern const Algorithm k_brucks;
}  // namespace alltoall

}  // namespace tutti::algorithms
