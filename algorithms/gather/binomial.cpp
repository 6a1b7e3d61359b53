// SPDX-License-Identifier: BSD-3-Clause
// Binomial gather: in an in-order binomial tree, each rank receives the blocks of its children's
// subtrees, the smallest first, after its own block, and sends all of them to its parent. A root
// that is not rank 0 must rotate the result.
//   Derived (in_order_runs.hpp): Hockney D l + (P-1) m/b, LogGP D (L + 2 o - G) + (P-1) m G
#include "algorithms/algorithm.hpp"
#include "algorithms/in_order_runs.hpp"

namespace tutti::algorithms {
namespace {

// The blocks of v, v + 1, ... are contiguous and move to root, root + 1, ...
void turn(Rank& me, const RankBlocks& blocks, std::int32_t gathered) {
  const std::int64_t unwrapped = me.size() - me.id();
  me.copy(blocks.run(me.id(), unwrapped), blocks.run(0, unwrapped, gathered));
  me.copy(blocks.run(0, me.id()), blocks.run(unwrapped, me.id(), gathered));
}

Task gather_binomial(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const trees::Position at = trees::position_of(me, args.root);
  const trees::Node node = trees::in_order_binomial(at);
  const bool is_root = node.parent == trees::no_parent;
  // Even v gather, even if they have no child because the number of ranks is too small.
  const bool is_leaf = trees::shifted(at) % 2 == 1;
  const std::int32_t gathered = is_leaf                   ? runtime::send_buffer
                                : is_root && me.id() == 0 ? runtime::recv_buffer
                                                          : runtime::scratch_buffer;
  if (gathered == runtime::scratch_buffer)
    me.allocate(blocks.run(0, trees::in_order_subtree(at), gathered).bytes);
  if (!is_leaf) me.copy(blocks.block(0, gathered), blocks.block(0, runtime::send_buffer));
  std::int64_t count = 1;
  for (const RankId child : node.children) {
    const std::int64_t theirs =
        trees::in_order_subtree({.rank = child, .procs = at.procs, .root = at.root});
    co_await me.recv({.from = child, .data = blocks.run(count, theirs, gathered)});
    count += theirs;
  }
  if (!is_root)
    co_await me.send({.to = node.parent, .data = blocks.run(0, count, gathered)});
  else if (gathered != runtime::recv_buffer)
    turn(me, blocks, gathered);
}

}  // namespace

const Algorithm gather::binomial{
    .program = gather_binomial,
    .cost = trees::in_order_runs_cost,
    .messages = one_per_other,
};

}  // namespace tutti::algorithms
