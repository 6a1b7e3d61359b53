// SPDX-License-Identifier: BSD-3-Clause
// Traeff's butterfly, see folded_blocks.hpp. For powers of two the blocks are brought into mirrored
// order first, so that each rank ends with its own and nothing is swapped.
// Derived for powers of two: D = log2 P steps of exchange + combine of half of what was left.
#include <bit>
#include <utility>

#include "algorithms/reduce_scatter/folded_blocks.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/reduction.hpp"

namespace tutti::algorithms {
namespace {

using runtime::Rank;
using runtime::RankId;
using runtime::Slice;
using runtime::Task;

FoldedBlocks blocks_of(const CollectiveArgs& args, int procs) {
  return FoldedBlocks(RankBlocks::of_blocks(args, procs));
}

bool is_power_of_two(int procs) { return std::has_single_bit(static_cast<unsigned>(procs)); }

Task mirrored_butterfly(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const int bits = std::bit_width(static_cast<unsigned>(me.size())) - 1;
  std::int32_t mine = runtime::scratch_buffer;
  std::int32_t other = runtime::scratch_buffer + 1;
  for (RankId rank = 0; rank < me.size(); ++rank)
    me.copy(blocks.block(mirrored(rank, bits), mine), blocks.block(rank, runtime::send_buffer));
  RankId first = 0;
  RankId count = me.size();
  for (RankId mask = 1; mask < me.size(); mask *= 2) {
    count /= 2;
    const bool upper = (me.id() & mask) != 0;
    const RankId kept = upper ? first + count : first;
    const RankId sent = upper ? first : first + count;
    co_await me.sendrecv({.to = me.id() ^ mask,
                          .send = blocks.run(sent, count, mine),
                          .from = me.id() ^ mask,
                          .recv = blocks.run(kept, count, other)});
    if (!upper) std::swap(mine, other);
    me.combine(blocks.run(kept, count, mine), blocks.run(kept, count, other),
               runtime::Operand::left);
    first = kept;
  }
  me.copy(reduction::vector_in(runtime::recv_buffer, args.message_bytes),
          blocks.block(first, mine));
}

Task reduce_scatter_block_butterfly(Rank& me, CollectiveArgs args) {
  return is_power_of_two(me.size()) ? mirrored_butterfly(me, args)
                                    : butterfly_blocks(me, blocks_of(args, me.size()));
}

Seconds reduce_scatter_block_butterfly_cost(const ModelArgs& args,
                                            const models::MessageCost& cost) {
  if (!is_power_of_two(args.procs))
    return butterfly_blocks_cost(blocks_of(args.call, args.procs), cost);
  Seconds total_s = 0;
  for (std::int64_t count = args.procs / 2; count > 0; count /= 2) {
    const Bytes bytes = count * args.call.message_bytes;
    total_s += cost.exchange(bytes) + cost.combine(bytes);
  }
  return total_s;
}

std::int64_t reduce_scatter_block_butterfly_messages(const ModelArgs& args) {
  if (!is_power_of_two(args.procs))
    return butterfly_blocks_messages(blocks_of(args.call, args.procs));
  const std::int64_t steps = std::bit_width(static_cast<unsigned>(args.procs)) - 1;
  return args.procs * steps;
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
