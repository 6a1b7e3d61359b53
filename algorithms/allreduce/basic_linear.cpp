// SPDX-License-Identifier: BSD-3-Clause
// Basic linear allreduce: a linear reduction to rank 0, then a linear broadcast from there.
// Derived: the sum of both.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/bcast/bcast.hpp"

namespace tutti::algorithms {
namespace {

Task allreduce_basic_linear(Rank& me, CollectiveArgs args) {
  args.root = 0;
  co_await reduce::linear.program(me, args);
  co_await bcast::basic_linear.program(me, args);
}

Seconds allreduce_basic_linear_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return reduce::linear.cost(args, cost) + bcast::basic_linear.cost(args, cost);
}

std::int64_t allreduce_basic_linear_messages(const ModelArgs& args) {
  return 2 * one_per_other(args);
}

}  // namespace

const Algorithm allreduce::basic_linear{
    .program = reduction::program<allreduce_basic_linear>,
    .cost = reduction::cost<allreduce_basic_linear_cost>,
    .messages = reduction::messages<allreduce_basic_linear_messages>,
};

}  // namespace tutti::algorithms
