// SPDX-License-Identifier: BSD-3-Clause
// See folded_blocks.hpp.
#include "algorithms/reduce_scatter/folded_blocks.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/reduction.hpp"

namespace tutti::algorithms {
namespace {

runtime::Task reduce_scatter_butterfly(runtime::Rank& me, CollectiveArgs args) {
  return butterfly_blocks(me, FoldedBlocks::of_vector(args, me.size()));
}

Seconds reduce_scatter_butterfly_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return butterfly_blocks_cost(FoldedBlocks::of_vector(args.call, args.procs), cost);
}

std::int64_t reduce_scatter_butterfly_messages(const ModelArgs& args) {
  return butterfly_blocks_messages(FoldedBlocks::of_vector(args.call, args.procs));
}

}  // namespace

const Algorithm reduce_scatter::butterfly{
    .collective = "reduce_scatter",
    .name = "butterfly",
    .id = 4,
    .reference = "Traeff, EuroPVM/MPI 2005",
    .summary = "partners exchange halves, the nearest first; then mirrored numbers swap blocks",
    .program = reduction::program<reduce_scatter_butterfly>,
    .cost = reduction::cost<reduce_scatter_butterfly_cost>,
    .messages = reduction::messages<reduce_scatter_butterfly_messages>,
};

}  // namespace tutti::algorithms
