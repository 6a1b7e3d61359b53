// SPDX-License-Identifier: BSD-3-Clause
// In-order binary tree reduction: every rank combines the results of the two runs of ranks directly
// below it, which preserves the order of the operands. The tree's root is rank P-1, which finally
// sends the whole result to the call's root if that is another rank.
// Derived: as binary (floor(log2 P) levels), plus a hop of the whole vector if the root is not P-1.
#include "algorithms/algorithm.hpp"
#include "algorithms/reduce/tree_reduce.hpp"

namespace tutti::algorithms {
namespace {

Task reduce_in_order_binary(Rank& me, CollectiveArgs args) {
  const RankId last = me.size() - 1;
  const bool here = me.id() == last && args.root == last;
  const std::int32_t into = here ? runtime::recv_buffer : runtime::scratch_buffer;
  co_await tree_reduce(me, args, trees::in_order_binary(trees::position_of(me, args.root)), into);
  if (args.root == last) co_return;
  if (me.id() == last)
    co_await me.send({.to = args.root, .data = reduction::vector_in(into, args.message_bytes)});
  else if (me.id() == args.root)
    co_await me.recv(
        {.from = last, .data = reduction::vector_in(runtime::recv_buffer, args.message_bytes)});
}

bool passes_on(const ModelArgs& args) { return args.call.root != args.procs - 1; }

Seconds reduce_in_order_binary_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return two_children_cost(args, cost) + (passes_on(args) ? cost.hop(args.call.message_bytes) : 0);
}

std::int64_t reduce_in_order_binary_messages(const ModelArgs& args) {
  return tree_reduce_messages(args) + (passes_on(args) ? 1 : 0);
}

}  // namespace

const Algorithm reduce::in_order_binary{
    .segmented = true,
    .limits_requests = true,
    .program = reduction::program<reduce_in_order_binary>,
    .cost = reduction::cost<reduce_in_order_binary_cost>,
    .messages = reduction::messages<reduce_in_order_binary_messages>,
};

}  // namespace tutti::algorithms
