// SPDX-License-Identifier: BSD-3-Clause
// Non-blocking linear scatter: the root isends each rank its block, in rank order, and waits for
// all of them. With a request limit n it sends to the ranks 0, n, 2n, ... with blocking sends.
//   Derived (linear_train.hpp): Hockney (P-1) (l + m/b)
//                               LogGP   L + 2 o + (m-1) G + (P-2) (g + (m-1) G)
// In both models the root sends one message at a time, regardless of what it waits for.

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

Task send_to_all(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  std::vector<Request> sends;
  sends.reserve(static_cast<std::size_t>(me.size()) - 1);
  for (RankId to = 0; to < me.size(); ++to) {
    const Slice block = blocks.block(to, runtime::send_buffer);
    if (to == me.id())
      me.copy({.bytes = block.bytes}, block);
    else if (args.max_requests > 0 && to % args.max_requests == 0)
      co_await me.send({.to = to, .data = block});
    else
      sends.push_back(me.isend({.to = to, .data = block}));
  }
  co_await me.wait_all(sends);
}

Task receive(Rank& me, CollectiveArgs args) {
  co_await me.recv({.from = args.root, .data = {.bytes = args.message_bytes}});
}

Task scatter_linear_nb(Rank& me, CollectiveArgs args) {
  return me.id() == args.root ? send_to_all(me, args) : receive(me, args);
}

}  // namespace

const Algorithm scatter::linear_nb{
    .limits_requests = true,
    .program = scatter_linear_nb,
    .cost = train_cost,
    .stages = train_stages,
    .messages = one_per_other,
};

}  // namespace tutti::algorithms
