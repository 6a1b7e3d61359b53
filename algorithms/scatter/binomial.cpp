// SPDX-License-Identifier: BSD-3-Clause
// Binomial scatter: in an in-order binomial tree, each rank receives the blocks of its subtree and
// sends each child those of the child's subtree, the largest first, with blocking sends. A root
// that is not rank 0 must rotate its blocks first.
//   Derived (in_order_runs.hpp): Hockney D l + (P-1) m/b, LogGP D (L + 2 o - G) + (P-1) m G
#include <ranges>

#include "algorithms/algorithm.hpp"
#include "algorithms/in_order_runs.hpp"

namespace tutti::algorithms {
namespace {

// Copies the blocks of root, root + 1, ... to a contiguous buffer.
void turn_to_shifted(Rank& me, const RankBlocks& blocks, std::int32_t turned) {
  const std::int64_t unwrapped = me.size() - me.id();
  me.copy(blocks.run(0, unwrapped, turned), blocks.run(me.id(), unwrapped, runtime::send_buffer));
  me.copy(blocks.run(unwrapped, me.id(), turned), blocks.run(0, me.id(), runtime::send_buffer));
}

Task scatter_binomial(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const trees::Position at = trees::position_of(me, args.root);
  const trees::Node node = trees::in_order_binomial(at);
  const bool is_root = node.parent == trees::no_parent;
  // Even v receive into a separate buffer, even if they have no child because the number of ranks
  // is too small.
  const bool is_leaf = trees::shifted(at) % 2 == 1;
  const std::int32_t held = is_leaf                   ? runtime::recv_buffer
                            : is_root && me.id() == 0 ? runtime::send_buffer
                                                      : runtime::scratch_buffer;
  std::int64_t count = trees::in_order_subtree(at);
  if (held == runtime::scratch_buffer) me.allocate(blocks.run(0, count, held).bytes);
  if (!is_root)
    co_await me.recv({.from = node.parent, .data = blocks.run(0, count, held)});
  else if (held != runtime::send_buffer)
    turn_to_shifted(me, blocks, held);
  if (!is_leaf) me.copy(blocks.block(0), blocks.block(0, held));
  for (const RankId child : std::views::reverse(node.children)) {
    const std::int64_t theirs =
        trees::in_order_subtree({.rank = child, .procs = at.procs, .root = at.root});
    count -= theirs;
    co_await me.send({.to = child, .data = blocks.run(count, theirs, held)});
  }
}

}  // namespace

const Algorithm scatter::binomial{
    .program = scatter_binomial,
    .cost = trees::in_order_runs_cost,
    .messages = one_per_other,
};

}  // namespace tutti::algorithms
