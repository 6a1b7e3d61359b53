// SPDX-License-Identifier: BSD-3-Clause
// MPICH's allreduce for long vectors (Rabenseifner's): P is folded to a power of two (the even
// ranks of the first pairs send their vectors to the odd ranks), blocks are halved with distance
// doubling, then the same exchanges in reverse order distribute them. Fewer elements than ranks in
// the fold, or a non-commutative operation: recursive_doubling. Derived: halve_in_blocks, then
// exchange(m / 2^s) for s = floor(log2 P) .. 1 and, if P is not a power of two, hop(m) to the ranks
// that dropped out.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/allreduce/double_parts.hpp"
#include "algorithms/block_halving.hpp"

namespace tutti::algorithms {
namespace {

Fold odd_fold(RankId procs) { return {procs, Fold::Stays::odd}; }

Task halve_and_double_blocks(Rank& me, CollectiveArgs args) {
  const Fold fold = odd_fold(me.size());
  co_await halve_in_blocks(me, args, fold, runtime::recv_buffer);
  co_await double_parts(me, BlockHalves(args, fold, runtime::recv_buffer), fold);
}

Seconds halve_and_double_blocks_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Fold fold = odd_fold(args.procs);
  return cost_with_doubling(halve_in_blocks_cost(args, fold, cost),
                            BlockHalves(args.call, fold, runtime::recv_buffer), fold, cost);
}

std::int64_t halve_and_double_blocks_messages(const ModelArgs& args) {
  const Fold fold = odd_fold(args.procs);
  return halve_in_blocks_messages(fold) + double_parts_messages(fold);
}

using HalvedBlocks = OrElse<can_halve_blocks, halve_and_double_blocks, halve_and_double_blocks_cost,
                            halve_and_double_blocks_messages, allreduce::recursive_doubling>;

}  // namespace

const Algorithm allreduce::reduce_scatter_allgather_mpich{
    .restriction = "a commutative operation, at least 2^floor(log2 P) elements",
    .program = reduction::program<HalvedBlocks::program>,
    .cost = reduction::cost<HalvedBlocks::cost>,
    .messages = reduction::messages<HalvedBlocks::messages>,
    .falls_back_to = HalvedBlocks::falls_back_to,
};

}  // namespace tutti::algorithms
