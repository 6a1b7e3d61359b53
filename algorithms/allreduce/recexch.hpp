// SPDX-License-Identifier: BSD-3-Clause
// MPICH's allreduce by recursive exchange; its barrier recexch is the case without data.
#pragma once

#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/recexch.hpp"

namespace tutti::algorithms {

// The radix is args.fanout, or default_exchange_radix if that is 0.
Task exchange_vectors(Rank& me, CollectiveArgs args);
Seconds exchange_vectors_cost(const ModelArgs& args, const models::MessageCost& cost);
std::int64_t exchange_vectors_messages(const ModelArgs& args);
RecursiveExchange exchange_of(const CollectiveArgs& args, RankId procs);

}  // namespace tutti::algorithms
