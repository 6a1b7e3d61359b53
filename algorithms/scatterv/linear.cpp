// SPDX-License-Identifier: BSD-3-Clause
// Linear scatterv: the root sends each rank its block, in rank order, with blocking sends. Empty
// blocks are not sent.
//   Derived (linear_train.hpp): one hop, then the other messages follow
#include "algorithms/linear_train.hpp"
#include "algorithms/scatterv/scatterv.hpp"

namespace tutti::algorithms {
namespace {

Task scatterv_linear(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const Slice mine{.bytes = blocks.bytes(me.id())};
  if (me.id() != args.root) {
    if (mine.bytes > 0) co_await me.recv({.from = args.root, .data = mine});
    co_return;
  }
  for (RankId to = 0; to < me.size(); ++to) {
    const Slice block = blocks.block(to, runtime::send_buffer);
    if (to == me.id())
      me.copy(mine, block);
    else if (block.bytes > 0)
      co_await me.send({.to = to, .data = block});
  }
}

}  // namespace

const Algorithm scatterv::linear{
    .collective = "scatterv",
    .name = "linear",
    .id = 1,
    .reference = "Open MPI, coll_basic_scatterv.c",
    .summary = "the root sends each rank its block, one after the other in rank order",
    .program = scatterv_linear,
    .cost = filled_train_cost,
    .messages = filled_train_messages,
};

}  // namespace tutti::algorithms
