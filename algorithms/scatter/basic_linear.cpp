// SPDX-License-Identifier: BSD-3-Clause
// Linear scatter and scatterv: the root sends each rank its block, in rank order, with blocking
// sends. scatterv does not send empty blocks.
//   Derived (linear_train.hpp): Hockney (P-1) (l + m/b)
//                               LogGP   L + 2 o + (m-1) G + (P-2) (g + (m-1) G)
#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

enum class EmptyBlock { sent, skipped };

template <EmptyBlock empty>
bool is_block_sent(const Slice& block) {
  return empty == EmptyBlock::sent || block.bytes > 0;
}

template <EmptyBlock empty>
Task scatter_in_order(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const Slice mine{.bytes = blocks.bytes(me.id())};
  if (me.id() != args.root) {
    if (is_block_sent<empty>(mine)) co_await me.recv({.from = args.root, .data = mine});
    co_return;
  }
  for (RankId to = 0; to < me.size(); ++to) {
    const Slice block = blocks.block(to, runtime::send_buffer);
    if (to == me.id())
      me.copy(mine, block);
    else if (is_block_sent<empty>(block))
      co_await me.send({.to = to, .data = block});
  }
}

}  // namespace

const Algorithm scatter::basic_linear{
    .program = scatter_in_order<EmptyBlock::sent>,
    .cost = train_cost,
    .messages = one_per_other,
};

const Algorithm scatterv::linear{
    .program = scatter_in_order<EmptyBlock::skipped>,
    .cost = filled_train_cost,
    .messages = filled_train_messages,
};

}  // namespace tutti::algorithms
