// SPDX-License-Identifier: BSD-3-Clause
// MPICH's reduce_scatter for operations that do not commute, powers of two and equal blocks: the
// butterfly in mirrored order (folded_blocks.hpp). Otherwise: recursive_doubling.
#include "algorithms/reduce_scatter/folded_blocks.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace tutti::algorithms {
namespace {

bool can_mirror(const CollectiveArgs& args, int procs) {
  return mpich::is_power_of_two(procs) && RankBlocks::of_vector(args, procs).equal();
}

Task mirror_vector(Rank& me, CollectiveArgs args) {
  return mirrored_butterfly(me, FoldedBlocks::of_vector(args, me.size()));
}

Seconds mirror_vector_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return halving_steps_cost(FoldedBlocks::of_vector(args.call, args.procs), cost);
}

using Mirrored = OrElse<can_mirror, mirror_vector, mirror_vector_cost, one_per_round,
                        reduce_scatter::recursive_doubling>;

}  // namespace

const Algorithm reduce_scatter::noncommutative{
    .restriction = "a power-of-two P, equal blocks",
    .program = reduction::program<Mirrored::program>,
    .cost = reduction::cost<Mirrored::cost>,
    .messages = reduction::messages<Mirrored::messages>,
    .falls_back_to = Mirrored::falls_back_to,
};

}  // namespace tutti::algorithms
