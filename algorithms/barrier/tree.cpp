// SPDX-License-Identifier: BSD-3-Clause
// Tree barrier: messages go up a binomial tree to rank 0, over the distances 1, 2, 4, ..., and then
// down again, over the same distances in reverse order.
//   Derived: D = ceil(log2 P) hops up and D down: Hockney 2 D l, LogGP 2 D (L + 2 o)

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

Task barrier_tree(Rank& me, CollectiveArgs /*args*/) {
  const trees::Node node = trees::in_order_binomial(trees::position_of(me, 0));
  for (const RankId child : node.children) co_await me.recv({.from = child});
  if (node.parent != trees::no_parent) {
    co_await me.send({.to = node.parent});
    co_await me.recv({.from = node.parent});
  }
  for (auto child = node.children.rbegin(); child != node.children.rend(); ++child)
    co_await me.send({.to = *child});
}

Seconds barrier_tree_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return 2 * doubling_rounds(args.procs) * cost.hop(0);
}

std::int64_t barrier_tree_messages(const ModelArgs& args) {
  return 2 * (static_cast<std::int64_t>(args.procs) - 1);
}

}  // namespace

const Algorithm barrier::tree{
    .program = barrier_tree,
    .cost = barrier_tree_cost,
    .messages = barrier_tree_messages,
};

}  // namespace tutti::algorithms
