// SPDX-License-Identifier: BSD-3-Clause
// MPICH's scatterv: the root starts the sends of all blocks in rank order and waits for all of
// them. Empty blocks are not sent.
//   Derived (linear_train.hpp): one hop, then the other messages follow
#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

Task scatterv_linear_mpich(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const Slice mine{.bytes = blocks.bytes(me.id())};
  if (me.id() != args.root) {
    if (mine.bytes > 0) co_await me.recv({.from = args.root, .data = mine});
    co_return;
  }
  std::vector<Request> requests;
  for (RankId to = 0; to < me.size(); ++to) {
    const Slice block = blocks.block(to, runtime::send_buffer);
    if (to == me.id())
      me.copy(mine, block);
    else if (block.bytes > 0)
      requests.push_back(me.isend({.to = to, .data = block}));
  }
  co_await me.wait_all(requests);
}

}  // namespace

const Algorithm scatterv::linear_mpich{
    .program = scatterv_linear_mpich,
    .cost = filled_train_cost,
    .messages = filled_train_messages,
};

}  // namespace tutti::algorithms
