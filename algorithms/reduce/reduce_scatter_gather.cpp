// SPDX-License-Identifier: BSD-3-Clause
// MPICH's reduction for long vectors (Rabenseifner's): P is folded to a power of two (the odd ranks
// of the first pairs send their vectors to the even ranks), blocks are halved with distance
// doubling, then gathered in reverse order, as in rabenseifner. Fewer elements than ranks in the
// fold, or a non-commutative operation: binomial_mpich. Derived: halve_in_blocks, then hop(m / 2^s)
// for s = floor(log2 P) .. 1, and one hop for a root that the fold dropped.
#include "algorithms/algorithm.hpp"
#include "algorithms/block_halving.hpp"
#include "algorithms/reduce/gather_parts.hpp"

namespace tutti::algorithms {
namespace {

Fold even_fold(RankId procs) { return {procs, Fold::Stays::even}; }

Task halve_and_gather_blocks(Rank& me, CollectiveArgs args) {
  const std::int32_t buffer = me.id() == args.root ? runtime::recv_buffer : runtime::scratch_buffer;
  const Fold fold = even_fold(me.size());
  co_await halve_in_blocks(me, args, fold, buffer);
  co_await gather_to_root(me, BlockHalves(args, fold, buffer), {fold, args.root});
}

Seconds halve_and_gather_blocks_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Fold fold = even_fold(args.procs);
  return with_gather_to_root(halve_in_blocks_cost(args, fold, cost),
                             BlockHalves(args.call, fold, runtime::recv_buffer),
                             {fold, args.call.root}, cost);
}

std::int64_t halve_and_gather_blocks_messages(const ModelArgs& args) {
  const Fold fold = even_fold(args.procs);
  return halve_in_blocks_messages(fold) + gather_to_root_messages({fold, args.call.root});
}

using HalvedToRoot = OrElse<can_halve_blocks, halve_and_gather_blocks, halve_and_gather_blocks_cost,
                            halve_and_gather_blocks_messages, reduce::binomial_mpich>;

}  // namespace

const Algorithm reduce::reduce_scatter_gather{
    .restriction = "a commutative operation, at least 2^floor(log2 P) elements",
    .program = reduction::program<HalvedToRoot::program>,
    .cost = reduction::cost<HalvedToRoot::cost>,
    .messages = reduction::messages<HalvedToRoot::messages>,
    .falls_back_to = HalvedToRoot::falls_back_to,
};

}  // namespace tutti::algorithms
