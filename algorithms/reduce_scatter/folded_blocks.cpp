// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/reduce_scatter/folded_blocks.hpp"

namespace tutti::algorithms {

Task fold_vectors(Rank& me, FoldedBlocks blocks, std::int32_t mine, std::int32_t other) {
  const Fold& fold = blocks.fold();
  me.copy(blocks.whole(mine), blocks.whole(runtime::send_buffer));
  if (!fold.in_pair(me.id())) co_return;
  if (!fold.stays(me.id())) {
    co_await me.send({.to = me.id() + 1, .data = blocks.whole(mine)});
    co_return;
  }
  co_await me.recv({.from = me.id() - 1, .data = blocks.whole(other)});
  me.combine(blocks.whole(mine), blocks.whole(other), Operand::left);
}

Seconds fold_vectors_cost(const FoldedBlocks& blocks, const models::MessageCost& cost) {
  if (blocks.fold().pairs() == 0) return 0;
  const Bytes bytes = blocks.ranks().total();
  return cost.hop(bytes) + cost.combine(bytes);
}

Seconds halving_steps_cost(const FoldedBlocks& blocks, const models::MessageCost& cost) {
  Seconds total_s = 0;
  for (RankId count = blocks.fold().size() / 2; count > 0; count /= 2) {
    const Bytes bytes = blocks.longest_run(count);
    total_s += cost.exchange(bytes) + cost.combine(bytes);
  }
  return total_s;
}

}  // namespace tutti::algorithms
