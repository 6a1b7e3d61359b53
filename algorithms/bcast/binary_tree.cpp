// SPDX-License-Identifier: BSD-3-Clause
// Binary tree broadcast: every rank forwards to two children. With d = ceil(log2(P+1)) - 1 levels:
//   Table 4.1 (one segment): Hockney 2 d (l + m/b), LogGP d (L + g + 2 (o + (m-1) G))
// Both are d times a send to the first child and one to the second: hop + next.
// Derived for ns segments: the others follow at intervals of two sends of the root; in Hockney's
// model 2 (d + ns-1) (l + ms/b). For P = 2 the missing second child is charged, as in the published
// formula.

#include "algorithms/bcast/bcast.hpp"
#include "algorithms/bcast/tree_bcast.hpp"

namespace tutti::algorithms {
namespace {

Task bcast_binary_tree(Rank& me, CollectiveArgs args) {
  return tree_bcast(me, args, trees::binary(trees::position_of(me, args.root)));
}

Seconds bcast_binary_tree_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Segments segments = segments_of(args.call);
  return binary_tree_cost(args.procs, segments, cost);
}

models::StageForm bcast_binary_tree_stages(const ModelArgs& args, const models::Gamma& gamma) {
  return models::tree_stages(binary_tree_levels(args.procs), segments_of(args.call), gamma);
}

}  // namespace

std::vector<models::TreeLevels> binary_tree_levels(int procs) {
  return levels_by_first_child(
      [&](RankId rank) { return trees::binary({.rank = rank, .procs = procs, .root = 0}); });
}

Seconds binary_tree_cost(int procs, const Segments& segments, const models::MessageCost& cost) {
  // ceil(log2(P+1)) is the number of bits of P.
  const int levels = std::bit_width(static_cast<unsigned>(procs)) - 1;
  const Bytes bytes = segments.longest_bytes();
  const Seconds fill_s = levels * (cost.hop(bytes) + cost.next(bytes));
  return segmented_cost(segments, {.fill_s = fill_s, .root_children = 2}, cost);
}

const Algorithm bcast::binary_tree{
    .segmented = true,
    .program = bcast_binary_tree,
    .cost = bcast_binary_tree_cost,
    .stages = bcast_binary_tree_stages,
    .messages = tree_bcast_messages,
};

}  // namespace tutti::algorithms
