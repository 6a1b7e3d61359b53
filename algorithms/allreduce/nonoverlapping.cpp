// SPDX-License-Identifier: BSD-3-Clause
// Non-overlapping allreduce: a reduction to rank 0, then a broadcast from there, each by the
// algorithm that the decision rules choose.
// Derived: the sum of both.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/reduction.hpp"
#include "algorithms/selection/decided.hpp"

namespace tutti::algorithms {
namespace {

// What both calls inside are given.
CollectiveArgs of_both(const CollectiveArgs& args) {
  return {.message_bytes = args.message_bytes,
          .element_bytes = args.element_bytes,
          .commutative = args.commutative};
}

runtime::Task allreduce_nonoverlapping(runtime::Rank& me, CollectiveArgs args) {
  const CollectiveArgs inner = of_both(args);
  co_await selection::run_decided("reduce", me, inner);
  co_await selection::run_decided("bcast", me, inner);
}

Seconds allreduce_nonoverlapping_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const ModelArgs inner{args.procs, of_both(args.call), args.combine_Bps};
  return selection::cost_of_decided("reduce", inner, cost) +
         selection::cost_of_decided("bcast", inner, cost);
}

std::int64_t allreduce_nonoverlapping_messages(const ModelArgs& args) {
  const ModelArgs inner{args.procs, of_both(args.call), args.combine_Bps};
  return selection::messages_of_decided("reduce", inner) +
         selection::messages_of_decided("bcast", inner);
}

}  // namespace

const Algorithm allreduce::nonoverlapping{
    .collective = "allreduce",
    .name = "nonoverlapping",
    .id = 2,
    .reference = "coll_base_allreduce.c",
    .summary = "a reduction to rank 0, then a broadcast, as the decision rules choose them",
    .program = reduction::program<allreduce_nonoverlapping>,
    .cost = reduction::cost<allreduce_nonoverlapping_cost>,
    .messages = reduction::messages<allreduce_nonoverlapping_messages>,
};

}  // namespace tutti::algorithms
