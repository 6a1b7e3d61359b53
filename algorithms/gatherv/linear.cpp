// SPDX-License-Identifier: BSD-3-Clause
// Linear gatherv: all ranks send their block to the root at once; the root receives them one after
// the other, in rank order. Empty blocks are not sent.
//   Derived (linear_train.hpp): one hop, then the other messages follow
#include "algorithms/gatherv/gatherv.hpp"
#include "algorithms/linear_train.hpp"

namespace tutti::algorithms {
namespace {

Task gatherv_linear(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const Slice mine{.bytes = blocks.bytes(me.id()), .buffer = runtime::send_buffer};
  if (me.id() != args.root) {
    if (mine.bytes > 0) co_await me.send({.to = args.root, .data = mine});
    co_return;
  }
  for (RankId from = 0; from < me.size(); ++from) {
    const Slice block = blocks.block(from);
    if (from == me.id())
      me.copy(block, mine);
    else if (block.bytes > 0)
      co_await me.recv({.from = from, .data = block});
  }
}

}  // namespace

const Algorithm gatherv::linear{
    .collective = "gatherv",
    .name = "linear",
    .id = 1,
    .reference = "Open MPI, coll_basic_gatherv.c",
    .summary = "the root receives the blocks in rank order",
    .program = gatherv_linear,
    .cost = filled_train_cost,
    .messages = filled_train_messages,
};

}  // namespace tutti::algorithms
