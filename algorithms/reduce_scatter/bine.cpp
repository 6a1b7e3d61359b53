// SPDX-License-Identifier: BSD-3-Clause
// Reduce_scatters over a Bine or Swing butterfly (algorithms/bine.hpp): in step s partners exchange
// and combine the blocks that the other is responsible for. Ranks are numbered such that these are
// contiguous, which must be undone:
//   permute: each rank first copies its blocks to the places of their ranks' numbers
//   send: finally each rank sends the block of its number to the rank of that index
//   swing: the blocks of each message are packed, and combined from there
// Derived, D = log2 P: sum of exchange(M / 2^s) + combine(M / 2^s), s = 1 .. D; send: one more
// exchange of a block.

#include "algorithms/bine.hpp"

#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace tutti::algorithms {
namespace {

using bine::Butterfly;
using bine::Numbering;

constexpr std::int32_t sums = runtime::scratch_buffer;

// Allocates the buffers of the sums and of incoming data.
RankBlocks with_buffers(Rank& me, const CollectiveArgs& args) {
  const RankBlocks blocks = RankBlocks::of_vector(args, me.size());
  for (int buffer = 0; buffer < 2; ++buffer) me.allocate(blocks.total());
  return blocks;
}

void copy_all(Rank& me, const RankBlocks& blocks) {
  me.copy(Slice{0, blocks.total(), sums}, Slice{0, blocks.total(), runtime::send_buffer});
}

Slice own_result(const Rank& me, const RankBlocks& blocks) {
  return {0, blocks.bytes(me.id()), runtime::recv_buffer};
}

template <Numbering numbering>
Task reduce_scatter_bine_send(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = with_buffers(me, args);
  const Butterfly butterfly(trees::position_of(me, 0), numbering);
  copy_all(me, blocks);
  co_await bine::scatter_sums(me, butterfly, blocks, sums);
  const RankId number = butterfly.number();
  const Slice held = blocks.block(number, sums);
  if (number == me.id())
    me.copy(own_result(me, blocks), held);
  else
    co_await me.sendrecv({.to = number,
                          .send = held,
                          .from = butterfly.numbers().rank(me.id()),
                          .recv = own_result(me, blocks)});
}

// The sizes of the blocks in the order of numbers.
std::shared_ptr<const Counts> permuted_counts(const CollectiveArgs& args, const RankBlocks& blocks,
                                              const bine::Numbers& numbers) {
  const auto procs = static_cast<int>(blocks.count());
  return shared_counts(std::tuple(args.counts, args.message_bytes, args.element_bytes, procs),
                       procs, [&](int number) { return blocks.bytes(numbers.rank(number)); });
}

Task reduce_scatter_bine_permute(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = with_buffers(me, args);
  const Butterfly butterfly(trees::position_of(me, 0), Numbering::remapped);
  const auto counts = permuted_counts(args, blocks, butterfly.numbers());
  const RankBlocks permuted = RankBlocks::of_blocks({.counts = counts.get()}, me.size());
  for (RankId rank = 0; rank < me.size(); ++rank)
    me.copy(permuted.block(butterfly.numbers().number(rank), sums),
            blocks.block(rank, runtime::send_buffer));
  co_await bine::scatter_sums(me, butterfly, permuted, sums);
  me.copy(own_result(me, blocks), permuted.block(butterfly.number(), sums));
}

Task reduce_scatter_swing(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = with_buffers(me, args);
  me.allocate(blocks.total());
  copy_all(me, blocks);
  const Butterfly butterfly(trees::position_of(me, 0), Numbering::remapped);
  co_await bine::scatter_sums_packed(me, butterfly, blocks, sums);
  me.copy(own_result(me, blocks), blocks.block(me.id(), sums));
}

Seconds reduce_scatter_bine_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return bine::scatter_sums_cost(RankBlocks::of_vector(args.call, args.procs), cost);
}

Seconds reduce_scatter_bine_send_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return reduce_scatter_bine_cost(args, cost) +
         cost.exchange(RankBlocks::of_vector(args.call, args.procs).longest());
}

template <Numbering numbering>
std::int64_t reduce_scatter_bine_send_messages(const ModelArgs& args) {
  return bine::butterfly_messages(args) + bine::moved_ranks(numbering, args.procs);
}

}  // namespace

const Algorithm reduce_scatter::bine_send_remap =
    bine::published(bine::commutative_power_of_two,
                    reduction::program<reduce_scatter_bine_send<Numbering::remapped>>,
                    reduction::cost<reduce_scatter_bine_send_cost>,
                    reduction::messages<reduce_scatter_bine_send_messages<Numbering::remapped>>);

const Algorithm reduce_scatter::bine_static = bine::published(
    bine::commutative_table, reduction::program<reduce_scatter_bine_send<Numbering::by_smallest>>,
    reduction::cost<reduce_scatter_bine_send_cost>,
    reduction::messages<reduce_scatter_bine_send_messages<Numbering::by_smallest>>);

const Algorithm reduce_scatter::bine_permute_remap = bine::published(
    bine::commutative_power_of_two, reduction::program<reduce_scatter_bine_permute>,
    reduction::cost<reduce_scatter_bine_cost>, reduction::messages<bine::butterfly_messages>);

const Algorithm reduce_scatter::swing = bine::published(
    bine::commutative_power_of_two, reduction::program<reduce_scatter_swing>,
    reduction::cost<reduce_scatter_bine_cost>, reduction::messages<bine::butterfly_messages>);

}  // namespace tutti::algorithms
