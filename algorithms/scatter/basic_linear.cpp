// SPDX-License-Identifier: BSD-3-Clause
// Linear scatter: the root sends each rank its block, in rank order, with blocking sends.
//   Derived (linear_train.hpp): Hockney (P-1) (l + m/b)
//                               LogGP   L + 2 o + (m-1) G + (P-2) (g + (m-1) G)
#include "algorithms/linear_train.hpp"
#include "algorithms/scatter/scatter.hpp"

namespace tutti::algorithms {
namespace {

Task scatter_basic_linear(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const Slice mine{.bytes = args.message_bytes};
  if (me.id() != args.root) {
    co_await me.recv({.from = args.root, .data = mine});
    co_return;
  }
  for (RankId to = 0; to < me.size(); ++to) {
    const Slice block = blocks.block(to, runtime::send_buffer);
    if (to == me.id())
      me.copy(mine, block);
    else
      co_await me.send({.to = to, .data = block});
  }
}

std::int64_t scatter_basic_linear_messages(const ModelArgs& args) { return args.procs - 1; }

}  // namespace

const Algorithm scatter::basic_linear{
    .collective = "scatter",
    .name = "basic_linear",
    .id = 1,
    .reference = "Open MPI, coll_base_scatter.c",
    .summary = "the root sends each rank its block, one after the other in rank order",
    .program = scatter_basic_linear,
    .cost = train_cost,
    .messages = scatter_basic_linear_messages,
};

}  // namespace tutti::algorithms
