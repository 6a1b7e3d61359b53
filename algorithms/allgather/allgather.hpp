// SPDX-License-Identifier: BSD-3-Clause
// The allgathers of Open MPI 4.1 (coll_base_allgather.c), each with its message order, its local
// copies and its silent fallbacks. Before the call a rank's `send_buffer` holds its block of
// `message_bytes`, afterwards everyone's `recv_buffer` holds the blocks of all ranks, in rank
// order.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms {

// What other allgathers fall back to.
runtime::Task allgather_bruck(runtime::Rank& me, CollectiveArgs args);
Seconds allgather_bruck_cost(const ModelArgs& args, const models::MessageCost& cost);
std::int64_t allgather_bruck_messages(const ModelArgs& args);

// The entries of the registry.
namespace allgather {
extern const Algorithm bruck;
extern const Algorithm recursive_doubling;
}  // namespace allgather

}  // namespace tutti::algorithms
