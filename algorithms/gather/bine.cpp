// SPDX-License-Identifier: BSD-3-Clause
// Bine gather: up a Bine tree in which in step s = 0, 1, ... every second rank sends its 2^s
// blocks, which are contiguous on the ring of ranks, to a rank next to them. Where they wrap around
// after the last rank they are two messages. Ranks are shifted by the root.
//   Derived, D = log2 P: hop(2^s m) for s = 0 .. D-1, P-1 blocks in all
#include "algorithms/algorithm.hpp"
#include "algorithms/bine_blocks.hpp"

namespace tutti::algorithms {
namespace {

using bine::Distances;

Task gather_bine(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const trees::Position at = trees::position_of(me, args.root);
  const trees::Node node = bine::tree(at, Distances::halving);
  const std::int32_t buffer =
      node.parent == trees::no_parent ? runtime::recv_buffer : runtime::scratch_buffer;
  if (buffer != runtime::recv_buffer) me.allocate(blocks.total());
  me.copy(blocks.block(me.id(), buffer),
          {.bytes = args.message_bytes, .buffer = runtime::send_buffer});
  int step = 0;
  for (auto child = node.children.rbegin(); child != node.children.rend(); ++child, ++step)
    for (const Slice& piece :
         bine::pieces_of(bine::subtree_blocks(blocks, {*child, at.procs, at.root}, step), buffer))
      co_await me.recv({.from = *child, .data = piece});
  if (node.parent == trees::no_parent) co_return;
  for (const Slice& piece : bine::pieces_of(bine::subtree_blocks(blocks, at, step), buffer))
    co_await me.send({.to = node.parent, .data = piece});
}

}  // namespace

const Algorithm gather::bine = bine::published(
    bine::power_of_two, gather_bine, bine::subtree_blocks_cost, bine::subtree_blocks_messages);

}  // namespace tutti::algorithms
