// SPDX-License-Identifier: BSD-3-Clause
// Linear gather: all ranks send their block to the root at once; the root receives them one after
// the other, in rank order.
//   Derived (linear_train.hpp): Hockney (P-1) (l + m/b)
//                               LogGP   L + 2 o + (m-1) G + (P-2) (g + (m-1) G)
#include "algorithms/gather/gather.hpp"
#include "algorithms/linear_train.hpp"

namespace tutti::algorithms {
namespace {

Task gather_basic_linear(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const Slice mine{.bytes = args.message_bytes, .buffer = runtime::send_buffer};
  if (me.id() != args.root) {
    co_await me.send({.to = args.root, .data = mine});
    co_return;
  }
  for (RankId from = 0; from < me.size(); ++from) {
    if (from == me.id())
      me.copy(blocks.block(from), mine);
    else
      co_await me.recv({.from = from, .data = blocks.block(from)});
  }
}

std::int64_t gather_basic_linear_messages(const ModelArgs& args) { return args.procs - 1; }

}  // namespace

const Algorithm gather::basic_linear{
    .collective = "gather",
    .name = "basic_linear",
    .id = 1,
    .reference = "Open MPI, coll_base_gather.c",
    .summary = "the root receives the blocks in rank order",
    .program = gather_basic_linear,
    .cost = train_cost,
    .messages = gather_basic_linear_messages,
};

}  // namespace tutti::algorithms
