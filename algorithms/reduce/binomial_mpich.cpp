// SPDX-License-Identifier: BSD-3-Clause
// MPICH's binomial reduction: in an in-order binomial tree, each rank receives the vectors of its
// children one after the other, the nearest child first, combines each, and sends the result to its
// parent. Never segmented. A non-commutative operation is reduced to rank 0, which sends the result
// to the root. Derived, d = ceil(log2 P): d (hop + combine), and one hop from rank 0.
#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

RankId root_of_tree(const CollectiveArgs& args) { return args.commutative ? args.root : 0; }

// result := result (op) incoming, which is from higher ranks.
void combine_in_order(Rank& me, Slice result, Slice incoming, bool commutative) {
  if (commutative) {
    me.combine(result, incoming, Operand::left);
    return;
  }
  me.combine(incoming, result, Operand::left);
  me.copy(result, incoming);
}

Task reduce_binomial_mpich(Rank& me, CollectiveArgs args) {
  const bool is_root = me.id() == args.root;
  const Slice result = reduction::vector_in(
      is_root ? runtime::recv_buffer : runtime::scratch_buffer, args.message_bytes);
  const Slice incoming = reduction::vector_in(runtime::scratch_buffer + 1, args.message_bytes);
  const RankId top = root_of_tree(args);
  const trees::Node node = trees::in_order_binomial(trees::position_of(me, top));
  if (!is_root) me.allocate(args.message_bytes);
  me.allocate(args.message_bytes);
  me.copy(result, reduction::vector_in(runtime::send_buffer, args.message_bytes));
  for (const RankId child : node.children) {
    co_await me.recv({.from = child, .data = incoming});
    combine_in_order(me, result, incoming, args.commutative);
  }
  if (node.parent != trees::no_parent) co_await me.send({.to = node.parent, .data = result});
  if (top == args.root) co_return;
  if (me.id() == top) co_await me.send({.to = args.root, .data = result});
  if (is_root) co_await me.recv({.from = top, .data = result});
}

Seconds reduce_binomial_mpich_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes m = args.call.message_bytes;
  const int depth = doubling_rounds(args.procs);
  return depth * (cost.hop(m) + cost.combine(m)) +
         (root_of_tree(args.call) == args.call.root ? 0 : cost.hop(m));
}

std::int64_t reduce_binomial_mpich_messages(const ModelArgs& args) {
  return args.procs - 1 + (root_of_tree(args.call) == args.call.root ? 0 : 1);
}

}  // namespace

const Algorithm reduce::binomial_mpich{
    .program = reduction::program<reduce_binomial_mpich>,
    .cost = reduction::cost<reduce_binomial_mpich_cost>,
    .messages = reduction::messages<reduce_binomial_mpich_messages>,
};

}  // namespace tutti::algorithms
