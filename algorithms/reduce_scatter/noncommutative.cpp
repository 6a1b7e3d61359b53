// SPDX-License-Identifier: BSD-3-Clause
// MPICH's reduce_scatter for operations that do not commute, powers of two and equal blocks: the
// butterfly in mirrored order (folded_blocks.hpp). Otherwise: recursive_doubling.
#include "algorithms/mpich.hpp"
#include "algorithms/reduce_scatter/folded_blocks.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/reduction.hpp"

namespace tutti::algorithms {
namespace {

bool can_mirror(std::int64_t procs, const CollectiveArgs& args) {
  return mpich::is_power_of_two(static_cast<int>(procs)) &&
         RankBlocks::of_vector(args, procs).equal();
}

Task reduce_scatter_noncommutative(Rank& me, CollectiveArgs args) {
  return can_mirror(me.size(), args)
             ? mirrored_butterfly(me, FoldedBlocks::of_vector(args, me.size()))
             : reduce_scatter::recursive_doubling.program(me, args);
}

Seconds reduce_scatter_noncommutative_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return can_mirror(args.procs, args.call)
             ? halving_steps_cost(FoldedBlocks::of_vector(args.call, args.procs), cost)
             : reduce_scatter::recursive_doubling.cost(args, cost);
}

std::int64_t reduce_scatter_noncommutative_messages(const ModelArgs& args) {
  const Fold fold(args.procs, Fold::Stays::odd);
  return can_mirror(args.procs, args.call) ? std::int64_t{args.procs} * fold.steps()
                                           : reduce_scatter_by_doubling_messages(args);
}

std::string_view reduce_scatter_noncommutative_fallback(const ModelArgs& args) {
  return can_mirror(args.procs, args.call) ? "" : "recursive_doubling";
}

}  // namespace

const Algorithm reduce_scatter::noncommutative{
    .collective = "reduce_scatter",
    .name = "noncommutative",
    .set = mpich::set,
    .restriction = "a power-of-two P, equal blocks",
    .reference = "MPICH, reduce_scatter_intra_noncommutative.c",
    .summary = "partners exchange halves, the nearest first, in mirrored order",
    .program = reduction::program<reduce_scatter_noncommutative>,
    .cost = reduction::cost<reduce_scatter_noncommutative_cost>,
    .messages = reduction::messages<reduce_scatter_noncommutative_messages>,
    .falls_back_to = reduce_scatter_noncommutative_fallback,
};

}  // namespace tutti::algorithms
