// SPDX-License-Identifier: BSD-3-Clause
// MPICH's reduce_scatter by recursive doubling, for operations that do not commute: the program of
// reduce_scatter_block's recursive_doubling, with blocks of any sizes.
// Derived, M the whole vector, r(d) the smallest run of d blocks of a group: sum over d = 1, 2, 4,
// ... of exchange(M - r(d)) + combine(M - r(d)), and for each incomplete group the hops in which
// its data spread.

#include "algorithms/incomplete_groups.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace tutti::algorithms {
namespace {

Task reduce_scatter_recursive_doubling(Rank& me, CollectiveArgs args) {
  return reduce_scatter_by_doubling(me, RankBlocks::of_vector(args, me.size()), args.commutative);
}

// The largest part of the vector outside a group of `size` ranks.
Bytes longest_outside(const RankBlocks& blocks, Shifted size) {
  Bytes smallest = blocks.total();
  for (Shifted first = 0; first < blocks.count(); first += size) {
    const Shifted count = std::min(size, blocks.count() - first);
    smallest = std::min(smallest, blocks.run(first, count).bytes);
  }
  return blocks.total() - smallest;
}

Seconds reduce_scatter_recursive_doubling_cost(const ModelArgs& args,
                                               const models::MessageCost& cost) {
  const RankBlocks blocks = RankBlocks::of_vector(args.call, args.procs);
  const Shifted procs = args.procs;
  Seconds total_s = 0;
  for (Shifted mask = 1; mask < procs; mask *= 2) {
    const Bytes bytes = longest_outside(blocks, mask);
    total_s += cost.exchange(bytes) + cost.combine(bytes);
    const Shifted upper = round_down(procs - 1, 2 * mask) + mask;  // in the last group
    if (upper < procs && upper + mask > procs)
      total_s += spread_rounds(procs - upper, mask) * cost.hop(blocks.offset(upper));
  }
  return total_s;
}

}  // namespace

const Algorithm reduce_scatter::recursive_doubling{
    .program = reduction::program<reduce_scatter_recursive_doubling>,
    .cost = reduction::cost<reduce_scatter_recursive_doubling_cost>,
    .messages = reduction::messages<reduce_scatter_by_doubling_messages>,
};

}  // namespace tutti::algorithms
