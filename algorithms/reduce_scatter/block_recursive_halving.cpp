// SPDX-License-Identifier: BSD-3-Clause
// See folded_blocks.hpp. An operation that does not commute: basic_linear.
#include "algorithms/reduce_scatter/folded_blocks.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/reduction.hpp"

namespace tutti::algorithms {
namespace {

runtime::Task reduce_scatter_block_recursive_halving(runtime::Rank& me, CollectiveArgs args) {
  return args.commutative ? halve_blocks(me, FoldedBlocks::of_blocks(args, me.size()))
                          : reduce_scatter_block::basic_linear.program(me, args);
}

Seconds reduce_scatter_block_recursive_halving_cost(const ModelArgs& args,
                                                    const models::MessageCost& cost) {
  return args.call.commutative
             ? halve_blocks_cost(FoldedBlocks::of_blocks(args.call, args.procs), cost)
             : reduce_scatter_block::basic_linear.cost(args, cost);
}

std::int64_t reduce_scatter_block_recursive_halving_messages(const ModelArgs& args) {
  return args.call.commutative
             ? halve_blocks_messages(FoldedBlocks::of_blocks(args.call, args.procs))
             : reduce_scatter_block::basic_linear.messages(args);
}

std::string_view fallback(const ModelArgs& args) {
  return args.call.commutative ? "" : "basic_linear";
}

}  // namespace

const Algorithm reduce_scatter_block::recursive_halving{
    .collective = "reduce_scatter_block",
    .name = "recursive_halving",
    .id = 3,
    .restriction = reduction::needs_commutative,
    .reference = "coll_base_reduce_scatter_block.c",
    .summary = "partners exchange halves of their vectors and combine, the farthest first",
    .program = reduction::program<reduce_scatter_block_recursive_halving>,
    .cost = reduction::cost<reduce_scatter_block_recursive_halving_cost>,
    .messages = reduction::messages<reduce_scatter_block_recursive_halving_messages>,
    .falls_back_to = fallback,
};

}  // namespace tutti::algorithms
