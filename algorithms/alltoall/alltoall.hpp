// SPDX-License-Identifier: BSD-3-Clause
// The alltoalls of Open MPI 4.1 (coll_base_alltoall.c). Before the call a rank's `send_buffer`
// holds a block of `message_bytes` for each rank, afterwards its `recv_buffer` holds a block from
// each, in rank order.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms {

// In step s = 1 .. P-1 each rank sends to rank + s while it receives from rank - s; its own block
// is left out. Blocks may differ.
Task exchange_pairwise(Rank& me, CollectiveArgs args);
std::vector<StepPhase> exchange_pairwise_steps(const ModelArgs& args);
// One message from everyone to every other.
inline std::int64_t everyone_to_every_other(const ModelArgs& args) {
  return static_cast<std::int64_t>(args.procs) * (args.procs - 1);
}

// The entries of the registry.
namespace alltoall {
extern const Algorithm linear;
extern const Algorithm pairwise;
extern const Algorithm modified_bruck;
extern const Algorithm linear_sync;
extern const Algorithm two_proc;
}  // namespace alltoall

}  // namespace tutti::algorithms
