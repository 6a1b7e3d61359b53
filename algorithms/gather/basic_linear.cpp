// SPDX-License-Identifier: BSD-3-Clause
// Linear gather and gatherv: all ranks send their block to the root at once; the root receives them
// one after the other, in rank order. gatherv does not send empty blocks.
//   Derived (linear_train.hpp): Hockney (P-1) (l + m/b)
//                               LogGP   L + 2 o + (m-1) G + (P-2) (g + (m-1) G)
#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

enum class Empty { sent, skipped };

template <Empty empty>
bool is_sent(const Slice& block) {
  return empty == Empty::sent || block.bytes > 0;
}

template <Empty empty>
Task gather_in_order(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const Slice mine{.bytes = blocks.bytes(me.id()), .buffer = runtime::send_buffer};
  if (me.id() != args.root) {
    if (is_sent<empty>(mine)) co_await me.send({.to = args.root, .data = mine});
    co_return;
  }
  for (RankId from = 0; from < me.size(); ++from) {
    const Slice block = blocks.block(from);
    if (from == me.id())
      me.copy(block, mine);
    else if (is_sent<empty>(block))
      co_await me.recv({.from = from, .data = block});
  }
}

}  // namespace

const Algorithm gather::basic_linear{
    .program = gather_in_order<Empty::sent>,
    .cost = train_cost,
    .messages = one_per_other,
};

const Algorithm gatherv::linear{
    .program = gather_in_order<Empty::skipped>,
    .cost = filled_train_cost,
    .messages = filled_train_messages,
};

}  // namespace tutti::algorithms
