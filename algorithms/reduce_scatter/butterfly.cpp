// SPDX-License-Identifier: BSD-3-Clause
// See folded_blocks.hpp.

#include "algorithms/reduce_scatter/folded_blocks.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace tutti::algorithms {

RankId mirrored(RankId v, int bits) {
  RankId result = 0;
  for (int bit = 0; bit < bits; ++bit) result |= (v >> bit & 1) << (bits - 1 - bit);
  return result;
}

namespace {

// After the butterfly in `buffer`: sends the blocks of the mirrored number to the ranks that it
// represents, and receives the rank's own block from the rank that has it.
Task swap_mirrored(Rank& me, FoldedBlocks blocks, std::int32_t buffer) {
  const Fold& fold = blocks.fold();
  const RankId v = fold.number(me.id());
  const RankId other = mirrored(v, fold.steps());
  const RankId partner = fold.rank(other);
  const Slice own{0, blocks.ranks().bytes(me.id()), runtime::recv_buffer};
  if (fold.in_pair(partner))
    co_await me.send({.to = partner - 1, .data = blocks.ranks().block(partner - 1, buffer)});
  const Slice theirs = blocks.ranks().block(partner, buffer);
  if (other == v)
    me.copy(own, theirs);
  else
    co_await me.sendrecv({.to = partner, .send = theirs, .from = partner, .recv = own});
}

}  // namespace

Task butterfly_exchanges(Rank& me, FoldedBlocks blocks, std::int32_t& mine) {
  const Fold& fold = blocks.fold();
  const RankId v = fold.number(me.id());
  std::int32_t other = 2 * runtime::scratch_buffer + 1 - mine;
  RankId first = 0;
  RankId count = fold.size();
  for (RankId mask = 1; mask < fold.size(); mask *= 2) {
    count /= 2;
    const bool upper = (v & mask) != 0;
    const RankId kept = upper ? first + count : first;
    const RankId sent = upper ? first : first + count;
    const RankId partner = fold.rank(v ^ mask);
    co_await me.sendrecv({.to = partner,
                          .send = blocks.run(sent, count, mine),
                          .from = partner,
                          .recv = blocks.run(kept, count, other)});
    if (!upper) std::swap(mine, other);
    me.combine(blocks.run(kept, count, mine), blocks.run(kept, count, other), Operand::left);
    first = kept;
  }
}

Task butterfly_blocks(Rank& me, FoldedBlocks blocks) {
  const Fold& fold = blocks.fold();
  std::int32_t mine = runtime::scratch_buffer;
  for (int buffer = 0; buffer < 2; ++buffer) me.allocate(blocks.ranks().total());
  co_await fold_vectors(me, blocks, mine, mine + 1);
  if (fold.stays(me.id())) {
    co_await butterfly_exchanges(me, blocks, mine);
    co_await swap_mirrored(me, blocks, mine);
    co_return;
  }
  const RankId holder = fold.rank(mirrored(fold.number(me.id()), fold.steps()));
  co_await me.recv(
      {.from = holder, .data = {0, blocks.ranks().bytes(me.id()), runtime::recv_buffer}});
}

Seconds butterfly_blocks_cost(const FoldedBlocks& blocks, const models::MessageCost& cost) {
  const Fold& fold = blocks.fold();
  const Bytes block = blocks.ranks().longest();
  Seconds total_s = fold_vectors_cost(blocks, cost) + halving_steps_cost(blocks, cost);
  if (fold.pairs() > 0) total_s += cost.hop(block);
  if (fold.steps() > 1) total_s += cost.exchange(block);
  return total_s;
}

std::int64_t butterfly_blocks_messages(const FoldedBlocks& blocks) {
  const Fold& fold = blocks.fold();
  // Numbers that equal their mirror.
  const std::int64_t own_mirror = std::int64_t{1} << (fold.steps() + 1) / 2;
  return std::int64_t{2} * fold.pairs() + std::int64_t{fold.size()} * fold.steps() + fold.size() -
         own_mirror;
}

namespace {

Task reduce_scatter_butterfly(Rank& me, CollectiveArgs args) {
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
    .program = reduction::program<reduce_scatter_butterfly>,
    .cost = reduction::cost<reduce_scatter_butterfly_cost>,
    .messages = reduction::messages<reduce_scatter_butterfly_messages>,
};

// Traeff's butterfly, see folded_blocks.hpp. For powers of two the blocks are first brought into
// mirrored order, so that each rank ends with its own block and nothing needs to be swapped.
// Derived for powers of two: D = log2 P steps of exchange + combine of half of the rest.

namespace {}  // namespace

Task mirrored_butterfly(Rank& me, FoldedBlocks blocks) {
  std::int32_t mine = runtime::scratch_buffer;
  const int bits = blocks.fold().steps();
  const RankBlocks& of_ranks = blocks.ranks();
  for (RankId rank = 0; rank < me.size(); ++rank)
    me.copy(of_ranks.block(mirrored(rank, bits), mine), of_ranks.block(rank, runtime::send_buffer));
  co_await butterfly_exchanges(me, blocks, mine);
  me.copy({.bytes = of_ranks.bytes(me.id())}, of_ranks.block(mirrored(me.id(), bits), mine));
}

namespace {

Task reduce_scatter_block_butterfly(Rank& me, CollectiveArgs args) {
  const auto blocks = FoldedBlocks::of_blocks(args, me.size());
  return mpich::is_power_of_two(me.size()) ? mirrored_butterfly(me, blocks)
                                           : butterfly_blocks(me, blocks);
}

Seconds reduce_scatter_block_butterfly_cost(const ModelArgs& args,
                                            const models::MessageCost& cost) {
  const auto blocks = FoldedBlocks::of_blocks(args.call, args.procs);
  return mpich::is_power_of_two(args.procs) ? halving_steps_cost(blocks, cost)
                                            : butterfly_blocks_cost(blocks, cost);
}

std::int64_t reduce_scatter_block_butterfly_messages(const ModelArgs& args) {
  const auto blocks = FoldedBlocks::of_blocks(args.call, args.procs);
  return mpich::is_power_of_two(args.procs) ? std::int64_t{args.procs} * blocks.fold().steps()
                                            : butterfly_blocks_messages(blocks);
}

}  // namespace

const Algorithm reduce_scatter_block::butterfly{
    .program = reduction::program<reduce_scatter_block_butterfly>,
    .cost = reduction::cost<reduce_scatter_block_butterfly_cost>,
    .messages = reduction::messages<reduce_scatter_block_butterfly_messages>,
};

}  // namespace tutti::algorithms
