// SPDX-License-Identifier: BSD-3-Clause
// The reductions to one rank of Open MPI 4.1 (coll_base_reduce.c), each with its message order and
// its silent fallbacks. Before the call a rank's `send_buffer` holds its vector, afterwards the
// root's `recv_buffer` holds the result.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms {

// What other reductions fall back to.
Task reduce_linear(Rank& me, CollectiveArgs args);
Seconds reduce_linear_cost(const ModelArgs& args, const models::MessageCost& cost);
std::int64_t reduce_linear_messages(const ModelArgs& args);

// The entries of the registry.
namespace reduce {
extern const Algorithm linear;
extern const Algorithm chain;
extern const Algorithm pipeline;
extern const Algorithm binary;
extern const Algorithm binomial;
extern const Algorithm in_order_binary;
extern const Algorithm rabenseifner;
}  // namespace reduce

}  // namespace tutti::algorithms
