// SPDX-License-Identifier: BSD-3-Clause
// See folded_blocks.hpp.
#include "algorithms/reduce_scatter/folded_blocks.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/reduction.hpp"

namespace tutti::algorithms {
namespace {

runtime::Task reduce_scatter_recursive_halving(runtime::Rank& me, CollectiveArgs args) {
  return halve_blocks(me, FoldedBlocks::of_vector(args, me.size()));
}

Seconds reduce_scatter_recursive_halving_cost(const ModelArgs& args,
                                              const models::MessageCost& cost) {
  return halve_blocks_cost(FoldedBlocks::of_vector(args.call, args.procs), cost);
}

std::int64_t reduce_scatter_recursive_halving_messages(const ModelArgs& args) {
  return halve_blocks_messages(FoldedBlocks::of_vector(args.call, args.procs));
}

}  // namespace

const Algorithm reduce_scatter::recursive_halving{
    .collective = "reduce_scatter",
    .name = "recursive_halving",
    .id = 2,
    .restriction = reduction::needs_commutative,
    .reference = "coll_base_reduce_scatter.c",
    .summary = "partners exchange halves of their vectors and combine, the farthest first",
    .program = reduction::program<reduce_scatter_recursive_halving>,
    .cost = reduction::cost<reduce_scatter_recursive_halving_cost>,
    .messages = reduction::messages<reduce_scatter_recursive_halving_messages>,
    .runs = reduction::is_commutative,
};

}  // namespace tutti::algorithms
