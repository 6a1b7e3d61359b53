// SPDX-License-Identifier: BSD-3-Clause
// The broadcasts of Open MPI 4.1 (coll_base_bcast.c), each with its message order and its silent
// fallbacks. Before the call the root's `recv_buffer` holds the message, afterwards everyone's
// does.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/models/message_cost.hpp"
#include "algorithms/models/stages.hpp"

namespace tutti::algorithms {

// What other broadcasts fall back to.
Task bcast_basic_linear(Rank& me, CollectiveArgs args);
Seconds bcast_basic_linear_cost(const ModelArgs& args, const models::MessageCost& cost);
std::int64_t bcast_basic_linear_messages(const ModelArgs& args);
Task bcast_chain(Rank& me, CollectiveArgs args);
Seconds bcast_chain_cost(const ModelArgs& args, const models::MessageCost& cost);
models::StageForm bcast_chain_stages(const ModelArgs& args, const models::Gamma& gamma);

// The entries of the registry.
namespace bcast {
extern const Algorithm basic_linear;
extern const Algorithm chain;
extern const Algorithm pipeline;
extern const Algorithm split_binary_tree;
extern const Algorithm binary_tree;
extern const Algorithm binomial;
extern const Algorithm knomial;
extern const Algorithm scatter_allgather;
extern const Algorithm scatter_allgather_ring;
}  // namespace bcast

}  // namespace tutti::algorithms
