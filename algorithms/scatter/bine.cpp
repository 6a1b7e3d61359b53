// SPDX-License-Identifier: BSD-3-Clause
// Bine scatter: the reverse of the Bine gather, with blocking sends; in the first step the root
// sends half of the blocks to the farthest rank. A rank that receives more than its own block does
// so in a temporary buffer.
//   Derived, D = log2 P: hop(2^s m) for s = D-1 .. 0, P-1 blocks in all
#include "algorithms/algorithm.hpp"
#include "algorithms/bine_blocks.hpp"

namespace tutti::algorithms {
namespace {

using bine::Distances;

Task scatter_bine(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const trees::Position at = trees::position_of(me, args.root);
  const trees::Node node = bine::tree(at, Distances::halving);
  const bool is_root = node.parent == trees::no_parent;
  const bool is_leaf = node.children.empty() && !is_root;
  const std::int32_t buffer = is_root ? runtime::send_buffer : runtime::scratch_buffer;
  const Slice mine{.bytes = args.message_bytes};
  int step = static_cast<int>(node.children.size());
  if (!is_root && !is_leaf) me.allocate((Bytes{1} << step) * args.message_bytes);
  if (is_leaf) {
    co_await me.recv({.from = node.parent, .data = mine});
    co_return;
  }
  if (!is_root)
    for (const Slice& piece : bine::pieces_of(bine::subtree_blocks(blocks, at, step), buffer))
      co_await me.recv({.from = node.parent, .data = piece});
  for (const RankId child : node.children) {
    --step;
    for (const Slice& piece :
         bine::pieces_of(bine::subtree_blocks(blocks, {child, at.procs, at.root}, step), buffer))
      co_await me.send({.to = child, .data = piece});
  }
  me.copy(mine, blocks.block(me.id(), buffer));
}

}  // namespace

const Algorithm scatter::bine = bine::published(
    bine::power_of_two, scatter_bine, bine::subtree_blocks_cost, bine::subtree_blocks_messages);

}  // namespace tutti::algorithms
