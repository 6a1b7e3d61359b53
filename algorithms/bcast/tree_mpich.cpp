// SPDX-License-Identifier: BSD-3-Clause
// MPICH's tree and pipelined_tree broadcasts, on three trees of radix k (`fanout`;
// mpich_trees.hpp): k-ary, knomial_1 and knomial_2. The message is divided into pieces of the
// segment size, the first of which is the remainder. A rank posts three receives (all of them if
// there are at most three pieces), then receives the others one by one; it starts the sends of each
// piece to its children as soon as it arrives, and waits for all of them at the end. No segments:
// MPICH's tree. Derived, with d levels and C children of the root:
//   k-ary: d (hop + (k-1) next), else d hop + (C - d) next; each further segment C next.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/bcast/tree_bcast.hpp"
#include "algorithms/mpich_trees.hpp"

namespace tutti::algorithms {
namespace {

constexpr int default_tree_radix = 2;  // MPIR_CVAR_BCAST_TREE_KVAL
constexpr std::int64_t receives_ahead = 3;

trees::RestFirst pieces_of_message(const CollectiveArgs& args) {
  return {args.message_bytes, args.segment_bytes};
}

Task send_down(Rank& me, CollectiveArgs args, trees::Node node) {
  const trees::RestFirst pieces = pieces_of_message(args);
  const bool is_root = node.parent == trees::no_parent;
  const std::int64_t ahead = std::min(pieces.count(), receives_ahead);
  std::vector<Request> receives;
  std::vector<Request> sends;
  for (std::int64_t i = 0; i < ahead && !is_root; ++i)
    receives.push_back(me.irecv({.from = node.parent, .data = pieces.of(i)}));
  for (std::int64_t i = 0; i < pieces.count(); ++i) {
    if (!is_root && i < ahead) co_await me.wait(receives[static_cast<std::size_t>(i)]);
    if (!is_root && i >= ahead) co_await me.recv({.from = node.parent, .data = pieces.of(i)});
    for (const RankId child : node.children)
      sends.push_back(me.isend({.to = child, .data = pieces.of(i)}));
  }
  co_await me.wait_all(sends);
}

template <trees::Node (*node_of)(const trees::Position&, int)>
Task down_a_tree(Rank& me, CollectiveArgs args) {
  return send_down(me, args,
                   node_of(trees::position_of(me, args.root), fanout_or(default_tree_radix, args)));
}

std::int64_t down_a_tree_messages(const ModelArgs& args) {
  return (args.procs - 1) * pieces_of_message(args.call).count();
}

// Each rank of a k-ary tree serves all its children before the next level.
Seconds kary_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const auto shape = trees::kary_shape(args.procs, fanout_or(default_tree_radix, args.call));
  const Segments segments = segments_of(args.call);
  const Bytes bytes = segments.longest_bytes();
  const Seconds fill_s =
      shape.levels * (cost.hop(bytes) + (shape.root_children - 1) * cost.next(bytes));
  return segmented_cost(segments, {.fill_s = fill_s, .root_children = shape.root_children}, cost);
}

Seconds knomials_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const auto shape = trees::knomial_shape(args.procs, fanout_or(default_tree_radix, args.call));
  return segmented_cost(segments_of(args.call), shape, cost);
}

// The levels of both k-nomial trees are those of Open MPI's.
template <trees::Node (*node_of)(const trees::Position&, int)>
models::StageForm stages_of_tree(const ModelArgs& args, const models::Gamma& gamma) {
  const int radix = fanout_or(default_tree_radix, args.call);
  const auto levels = levels_by_first_child(
      [&](RankId rank) { return node_of({.rank = rank, .procs = args.procs, .root = 0}, radix); });
  return models::tree_stages(levels, segments_of(args.call), gamma);
}

// The entry of a k-nomial tree.
template <trees::Node (*node_of)(const trees::Position&, int)>
constexpr Algorithm down_a_knomial_tree() {
  return {.segmented = true,
          .default_fanout = default_tree_radix,
          .least_fanout = 2,
          .program = mpich::program<down_a_tree<node_of>>,
          .cost = mpich::cost<knomials_cost>,
          .stages = stages_of_tree<trees::knomial>,
          .messages = mpich::messages<down_a_tree_messages>};
}

constexpr Algorithm down_a_kary_tree() {
  Algorithm algorithm = down_a_knomial_tree<trees::kary>();
  algorithm.least_fanout = 1;
  algorithm.cost = mpich::cost<kary_cost>;
  algorithm.stages = stages_of_tree<trees::kary>;
  return algorithm;
}

}  // namespace

const Algorithm bcast::tree_kary = down_a_kary_tree();
const Algorithm bcast::tree_knomial_1 = down_a_knomial_tree<trees::knomial_1>();
const Algorithm bcast::tree_knomial_2 = down_a_knomial_tree<trees::knomial_2>();

}  // namespace tutti::algorithms
