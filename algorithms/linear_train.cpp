// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/linear_train.hpp"

namespace tutti::algorithms {

Seconds filled_train_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const RankBlocks blocks = RankBlocks::of_blocks(args.call, args.procs);
  if (blocks.equal()) return blocks.filled() == 0 ? 0 : train_cost(args, cost);
  Seconds before_s = 0;
  Bytes last = 0;
  for (std::int64_t rank = 0; rank < blocks.count(); ++rank) {
    if (rank == args.call.root || blocks.bytes(rank) == 0) continue;
    if (last > 0) before_s += cost.next(last);
    last = blocks.bytes(rank);
  }
  return last > 0 ? before_s + cost.hop(last) : 0;
}

std::int64_t filled_train_messages(const ModelArgs& args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args.call, args.procs);
  return blocks.filled() - (blocks.bytes(args.call.root) > 0 ? 1 : 0);
}

}  // namespace tutti::algorithms
