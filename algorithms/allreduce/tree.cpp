// SPDX-License-Identifier: BSD-3-Clause
// MPICH's tree allreduce on three trees of radix k (`fanout`; mpich_trees.hpp) with root 0: segment
// by segment, a rank receives and combines the vectors of its children one after the other, starts
// the send to its parent, receives the result from it and starts the sends to its children. It
// waits for all sends at the end; the first segment is the remainder. Non-commutative operation:
// tree_knomial_1, whose subtrees are runs of ranks.
// Derived: each segment goes up and down before the next one; with d levels and C children of the
// root: 2 (d hop + (C' - d) next) + C' combine, C' = d k in a k-ary tree, else C.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/mpich_trees.hpp"

namespace tutti::algorithms {
namespace {

constexpr int default_radix_of_tree = 2;  // MPIR_CVAR_ALLREDUCE_TREE_KVAL

// Pieces of whole elements; a segment size below one element means one piece.
trees::RestFirst pieces_of_vector(const CollectiveArgs& args) {
  return {args.message_bytes, args.segment_bytes / args.element_bytes * args.element_bytes};
}

Task up_and_down(Rank& me, CollectiveArgs args, trees::Node node) {
  const trees::RestFirst pieces = pieces_of_vector(args);
  std::vector<Request> sends;
  if (!node.children.empty()) me.allocate(args.message_bytes);
  me.copy(reduction::vector_in(runtime::recv_buffer, args.message_bytes),
          reduction::vector_in(runtime::send_buffer, args.message_bytes));
  for (std::int64_t i = 0; i < pieces.count(); ++i) {
    const Slice result = pieces.of(i, runtime::recv_buffer);
    const Slice incoming = pieces.of(i, runtime::scratch_buffer);
    for (const RankId child : node.children) {
      co_await me.recv({.from = child, .data = incoming});
      if (args.commutative) {
        me.combine(result, incoming, Operand::left);
      } else {
        me.combine(incoming, result, Operand::left);
        me.copy(result, incoming);
      }
    }
    if (node.parent != trees::no_parent) {
      sends.push_back(me.isend({.to = node.parent, .data = result}));
      co_await me.recv({.from = node.parent, .data = result});
    }
    for (const RankId child : node.children)
      sends.push_back(me.isend({.to = child, .data = result}));
  }
  co_await me.wait_all(sends);
}

using NodeOf = trees::Node (*)(const trees::Position&, int);

template <NodeOf node_of>
Task tree_allreduce(Rank& me, CollectiveArgs args) {
  const NodeOf in_order = args.commutative ? node_of : trees::knomial_1;
  const int radix = std::max(args.commutative ? 1 : 2, fanout_or(default_radix_of_tree, args));
  return up_and_down(me, args, in_order(trees::position_of(me, 0), radix));
}

std::int64_t tree_allreduce_messages(const ModelArgs& args) {
  return std::int64_t{2} * (args.procs - 1) * pieces_of_vector(args.call).count();
}

// `operands`: those that are combined on the longest way up.
Seconds way_cost(const ModelArgs& args, double hops, double operands,
                 const models::MessageCost& cost) {
  const trees::RestFirst pieces = pieces_of_vector(args.call);
  const Bytes bytes = pieces.of(pieces.count() - 1).bytes;
  const Seconds up_s = hops * cost.hop(bytes) + (operands - hops) * cost.next(bytes);
  return static_cast<double>(pieces.count()) * (2 * up_s + operands * cost.combine(bytes));
}

Seconds knomial_allreduce_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const int radix = std::max(2, fanout_or(default_radix_of_tree, args.call));
  const auto shape = trees::knomial_shape(args.procs, radix);
  return way_cost(args, shape.levels, shape.root_children, cost);
}

Seconds kary_allreduce_cost(const ModelArgs& args, const models::MessageCost& cost) {
  if (!args.call.commutative) return knomial_allreduce_cost(args, cost);
  const auto shape = trees::kary_shape(args.procs, fanout_or(default_radix_of_tree, args.call));
  return way_cost(args, shape.levels, shape.levels * shape.root_children, cost);
}

std::string_view in_order_fallback(const ModelArgs& args) {
  return args.call.commutative ? "" : "tree_knomial_1";
}

// The entry of the k-nomial tree whose subtrees are runs of ranks.
template <NodeOf node_of>
constexpr Algorithm up_and_down_tree() {
  return {.segmented = true,
          .default_fanout = default_radix_of_tree,
          .least_fanout = 2,
          .program = reduction::program<tree_allreduce<node_of>>,
          .cost = reduction::cost<knomial_allreduce_cost>,
          .messages = reduction::messages<tree_allreduce_messages>};
}

// The entry of another tree.
template <NodeOf node_of>
constexpr Algorithm commutative_tree() {
  Algorithm algorithm = up_and_down_tree<node_of>();
  algorithm.restriction = reduction::needs_commutative;
  algorithm.falls_back_to = in_order_fallback;
  return algorithm;
}

constexpr Algorithm kary_tree() {
  Algorithm algorithm = commutative_tree<trees::kary>();
  algorithm.least_fanout = 1;
  algorithm.cost = reduction::cost<kary_allreduce_cost>;
  return algorithm;
}

}  // namespace

const Algorithm allreduce::tree_kary = kary_tree();
const Algorithm allreduce::tree_knomial_1 = up_and_down_tree<trees::knomial_1>();
const Algorithm allreduce::tree_knomial_2 = commutative_tree<trees::knomial_2>();

}  // namespace tutti::algorithms
