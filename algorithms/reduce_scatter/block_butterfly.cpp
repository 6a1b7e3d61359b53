// SPDX-License-Identifier: BSD-3-Clause
// Traeff's butterfly, see folded_blocks.hpp. For powers of two the blocks are brought into mirrored
// order first, so that each rank ends with its own and nothing is swapped.
// Derived for powers of two: D = log2 P steps of exchange + combine of half of what was left.
#include <bit>

#include "algorithms/reduce_scatter/folded_blocks.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/reduction.hpp"

namespace tutti::algorithms {
namespace {

using runtime::Rank;
using runtime::RankId;
using runtime::Task;

bool is_power_of_two(int procs) { return std::has_single_bit(static_cast<unsigned>(procs)); }

Task mirrored_butterfly(Rank& me, FoldedBlocks blocks) {
  std::int32_t mine = runtime::scratch_buffer;
  const int bits = blocks.fold().steps();
  const RankBlocks& of_ranks = blocks.ranks();
  for (RankId rank = 0; rank < me.size(); ++rank)
    me.copy(of_ranks.block(mirrored(rank, bits), mine), of_ranks.block(rank, runtime::send_buffer));
  co_await butterfly_exchanges(me, blocks, mine);
  me.copy({.bytes = of_ranks.bytes(me.id())}, of_ranks.block(mirrored(me.id(), bits), mine));
}

Task reduce_scatter_block_butterfly(Rank& me, CollectiveArgs args) {
  const auto blocks = FoldedBlocks::of_blocks(args, me.size());
  return is_power_of_two(me.size()) ? mirrored_butterfly(me, blocks) : butterfly_blocks(me, blocks);
}

Seconds reduce_scatter_block_butterfly_cost(const ModelArgs& args,
                                            const models::MessageCost& cost) {
  const auto blocks = FoldedBlocks::of_blocks(args.call, args.procs);
  return is_power_of_two(args.procs) ? halving_steps_cost(blocks, cost)
                                     : butterfly_blocks_cost(blocks, cost);
}

std::int64_t reduce_scatter_block_butterfly_messages(const ModelArgs& args) {
  const auto blocks = FoldedBlocks::of_blocks(args.call, args.procs);
  return is_power_of_two(args.procs) ? std::int64_t{args.procs} * blocks.fold().steps()
                                     : butterfly_blocks_messages(blocks);
}

}  // namespace

const Algorithm reduce_scatter_block::butterfly{
    .collective = "reduce_scatter_block",
    .name = "butterfly",
    .id = 4,
    .reference = "Traeff, EuroPVM/MPI 2005",
    .summary = "partners exchange halves, the nearest first, in mirrored order",
    .program = reduction::program<reduce_scatter_block_butterfly>,
    .cost = reduction::cost<reduce_scatter_block_butterfly_cost>,
    .messages = reduction::messages<reduce_scatter_block_butterfly_messages>,
};

}  // namespace tutti::algorithms
