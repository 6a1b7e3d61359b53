// SPDX-License-Identifier: BSD-3-Clause
// MPICH's tree allreduce on three trees of radix k (`fanout`; mpich_trees.hpp) with root 0: segment
// by segment, a rank receives and combines the vectors of its children one after the other, starts
// the send to its parent, receives the result from it and starts the sends to its children. It
// waits for all sends at the end; the first segment is the remainder. Non-commutative operation:
// tree_knomial_1, whose subtrees are runs of ranks.
// Derived: each segment goes up and down before the next one; with d levels and C children of the
// root: 2 (d hop + (C' - d) next) + C' combine, C' = d k in a k-ary tree, else C.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/mpich.hpp"
#include "algorithms/mpich_trees.hpp"
#include "algorithms/reduction.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms {
namespace {

constexpr int default_radix_of_tree = 2;  // MPIR_CVAR_ALLREDUCE_TREE_KVAL

int radix_of_tree(const CollectiveArgs& args) {
  return args.fanout == 0 ? default_radix_of_tree : args.fanout;
}

// Pieces of whole elements, the first of which is the remainder; a segment size below one element
// means one piece.
struct RestFirst {
  Bytes bytes;
  Bytes piece;

  explicit RestFirst(const CollectiveArgs& args)
      : bytes(args.message_bytes),
        piece(std::min(bytes, args.segment_bytes / args.element_bytes * args.element_bytes)) {
    if (piece <= 0) piece = bytes;
  }
  std::int64_t count() const { return (bytes + piece - 1) / piece; }
  Slice of(std::int64_t index, std::int32_t buffer) const {
    const Bytes rest = bytes - (count() - 1) * piece;
    if (index == 0) return {0, rest, buffer};
    return {rest + (index - 1) * piece, piece, buffer};
  }
};

Task up_and_down(Rank& me, CollectiveArgs args, trees::Node node) {
  const RestFirst pieces(args);
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
  const int radix = std::max(args.commutative ? 1 : 2, radix_of_tree(args));
  return up_and_down(me, args, in_order(trees::position_of(me, 0), radix));
}

std::int64_t tree_allreduce_messages(const ModelArgs& args) {
  return std::int64_t{2} * (args.procs - 1) * RestFirst(args.call).count();
}

// Hops on the longest way up, and operands that are combined on it.
struct Way {
  double hops = 0;
  double operands = 0;
};
Seconds way_cost(const ModelArgs& args, const Way& way, const models::MessageCost& cost) {
  const RestFirst pieces(args.call);
  const Bytes bytes = pieces.of(pieces.count() - 1, 0).bytes;
  const Seconds up_s = way.hops * cost.hop(bytes) + (way.operands - way.hops) * cost.next(bytes);
  return static_cast<double>(pieces.count()) * (2 * up_s + way.operands * cost.combine(bytes));
}

Seconds knomial_allreduce_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const std::int64_t radix = std::max(2, radix_of_tree(args.call));
  Way way;
  for (std::int64_t weight = 1; weight < args.procs; weight *= radix) {
    ++way.hops;
    way.operands += static_cast<double>(std::min(radix - 1, (args.procs - 1) / weight));
  }
  return way_cost(args, way, cost);
}

Seconds kary_allreduce_cost(const ModelArgs& args, const models::MessageCost& cost) {
  if (!args.call.commutative) return knomial_allreduce_cost(args, cost);
  const std::int64_t radix = radix_of_tree(args.call);
  Way way;
  for (std::int64_t last = 0; last < args.procs - 1; last = last * radix + radix) ++way.hops;
  way.operands = way.hops * static_cast<double>(std::min<std::int64_t>(radix, args.procs - 1));
  return way_cost(args, way, cost);
}

std::string_view in_order_fallback(const ModelArgs& args) {
  return args.call.commutative ? "" : "tree_knomial_1";
}

}  // namespace

const Algorithm allreduce::tree_kary{
    .collective = "allreduce",
    .name = "tree_kary",
    .set = mpich::set,
    .segmented = true,
    .default_fanout = default_radix_of_tree,
    .least_fanout = 1,
    .restriction = reduction::needs_commutative,
    .reference = "MPICH, allreduce_intra_tree.c",
    .summary = "up and down a k-ary tree, segment by segment",
    .program = reduction::program<tree_allreduce<trees::kary>>,
    .cost = reduction::cost<kary_allreduce_cost>,
    .messages = reduction::messages<tree_allreduce_messages>,
    .falls_back_to = in_order_fallback,
};

const Algorithm allreduce::tree_knomial_1{
    .collective = "allreduce",
    .name = "tree_knomial_1",
    .set = mpich::set,
    .segmented = true,
    .default_fanout = default_radix_of_tree,
    .least_fanout = 2,
    .reference = "MPICH, allreduce_intra_tree.c",
    .summary = "up and down a k-nomial tree whose subtrees are runs of ranks",
    .program = reduction::program<tree_allreduce<trees::knomial_1>>,
    .cost = reduction::cost<knomial_allreduce_cost>,
    .messages = reduction::messages<tree_allreduce_messages>,
};

const Algorithm allreduce::tree_knomial_2{
    .collective = "allreduce",
    .name = "tree_knomial_2",
    .set = mpich::set,
    .segmented = true,
    .default_fanout = default_radix_of_tree,
    .least_fanout = 2,
    .restriction = reduction::needs_commutative,
    .reference = "MPICH, allreduce_intra_tree.c",
    .summary = "up and down a k-nomial tree, the largest subtree first",
    .program = reduction::program<tree_allreduce<trees::knomial_2>>,
    .cost = reduction::cost<knomial_allreduce_cost>,
    .messages = reduction::messages<tree_allreduce_messages>,
    .falls_back_to = in_order_fallback,
};

}  // namespace tutti::algorithms
