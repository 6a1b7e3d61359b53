// SPDX-License-Identifier: BSD-3-Clause
// MPICH's scattered alltoall and alltoallv: a rank posts the receives and sends of a batch of peers
// at a time, those from rank + s and to rank - s for consecutive distances s, and waits for all of
// them before the next batch. Its own block, s = 0, is in the first batch.
#pragma once

#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms {

inline constexpr int default_batch = 32;  // MPIR_CVAR_ALLTOALL_THROTTLE

// `max_requests` peers, or default_batch if it is 0. Empty blocks are not sent.
Task exchange_in_batches(Rank& me, CollectiveArgs args);
// Derived for blocks of m bytes: hop + (n-1) next for each batch of n peers.
Seconds batches_cost(const ModelArgs& args, Bytes m, const models::MessageCost& cost);

}  // namespace tutti::algorithms
