// SPDX-License-Identifier: BSD-3-Clause
// Bine allgathers over a butterfly: in step s = D-1, ..., 0 partners exchange all their blocks, and
// ranks are numbered such that these are contiguous (algorithms/bine.hpp).
//   permute: blocks are collected in the order of numbers, and finally copied to their places
//   send: rank r collects the blocks of all ranks in their order at the place of the rank whose
//     index is r's number, after one message that brings it the block of that rank
//   block_by_block: each block is a message of its own and arrives at its place
//   swing: as permute, but the blocks of each message are packed and unpacked (Swing's order)
// Derived, D = log2 P: sum of exchange(m 2^s), s = 0 .. D-1; send: one exchange(m) before;
// block_by_block: in each step an exchange of a block, then the next of each further one.

#include "algorithms/allgather/allgather.hpp"
#include "algorithms/bine.hpp"

namespace tutti::algorithms {
namespace {

using bine::Butterfly;
using bine::Numbering;

constexpr std::int32_t by_number = runtime::scratch_buffer;

template <Numbering numbering>
Task allgather_bine_permute(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const Butterfly butterfly(trees::position_of(me, 0), numbering);
  me.copy(blocks.block(butterfly.number(), by_number),
          {.bytes = args.message_bytes, .buffer = runtime::send_buffer});
  co_await bine::gather_blocks(me, butterfly, blocks, by_number);
  for (RankId rank = 0; rank < me.size(); ++rank)
    me.copy(blocks.block(rank), blocks.block(butterfly.numbers().number(rank), by_number));
}

template <Numbering numbering>
Task allgather_bine_send(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const Butterfly butterfly(trees::position_of(me, 0), numbering);
  const Slice mine{.bytes = args.message_bytes, .buffer = runtime::send_buffer};
  const RankId number = butterfly.number();
  if (number == me.id())
    me.copy(blocks.block(number), mine);
  else
    co_await me.sendrecv({.to = butterfly.numbers().rank(me.id()),
                          .send = mine,
                          .from = number,
                          .recv = blocks.block(number)});
  co_await bine::gather_blocks(me, butterfly, blocks, runtime::recv_buffer);
}

Task allgather_bine_in_blocks(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  copy_own_block(me, blocks);
  const Butterfly butterfly(trees::position_of(me, 0), Numbering::remapped);
  std::vector<Request> requests;
  for (int step = butterfly.steps() - 1; step >= 0; --step) {
    const RankId partner = butterfly.partner(step);
    const auto kept = butterfly.kept(step);
    const auto sent = butterfly.sent(step);
    requests.clear();
    for (RankId i = 0; i < kept.count; ++i) {
      const RankId mine = butterfly.numbers().rank(kept.first + i);
      const RankId theirs = butterfly.numbers().rank(sent.first + i);
      requests.push_back(me.isend({.to = partner, .data = blocks.block(mine)}));
      requests.push_back(me.irecv({.from = partner, .data = blocks.block(theirs)}));
    }
    co_await me.wait_all(requests);
  }
}

Task allgather_bine_any_even(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  copy_own_block(me, blocks);
  co_await bine::gather_in_blocks(me, blocks, runtime::recv_buffer);
}

Task allgather_swing(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  copy_own_block(me, blocks);
  const Butterfly butterfly(trees::position_of(me, 0), Numbering::remapped);
  co_await bine::gather_packed(me, butterfly, blocks, runtime::recv_buffer);
}

Seconds allgather_bine_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return bine::gather_blocks_cost(RankBlocks::of_blocks(args.call, args.procs), cost);
}

Seconds allgather_bine_send_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return cost.exchange(args.call.message_bytes) + allgather_bine_cost(args, cost);
}

Seconds allgather_bine_in_blocks_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return bine::in_blocks_cost(args.procs, args.call.message_bytes, cost);
}

template <Numbering numbering>
std::int64_t allgather_bine_send_messages(const ModelArgs& args) {
  return bine::butterfly_messages(args) + bine::moved_ranks(numbering, args.procs);
}

}  // namespace

const Algorithm allgather::bine_permute_remap =
    bine::published(bine::power_of_two, allgather_bine_permute<Numbering::remapped>,
                    allgather_bine_cost, bine::butterfly_messages);

const Algorithm allgather::bine_permute_static =
    bine::published(bine::table, allgather_bine_permute<Numbering::by_smallest>,
                    allgather_bine_cost, bine::butterfly_messages);

const Algorithm allgather::bine_send_remap =
    bine::published(bine::power_of_two, allgather_bine_send<Numbering::remapped>,
                    allgather_bine_send_cost, allgather_bine_send_messages<Numbering::remapped>);

const Algorithm allgather::bine_send_static =
    bine::published(bine::table, allgather_bine_send<Numbering::by_smallest>,
                    allgather_bine_send_cost, allgather_bine_send_messages<Numbering::by_smallest>);

const Algorithm allgather::bine_block_by_block = bine::published(
    bine::power_of_two, allgather_bine_in_blocks, allgather_bine_in_blocks_cost, one_per_pair);

const Algorithm allgather::bine_block_by_block_any_even = bine::published(
    bine::even, allgather_bine_any_even, allgather_bine_in_blocks_cost, one_per_pair);

const Algorithm allgather::swing = bine::published(bine::power_of_two, allgather_swing,
                                                   allgather_bine_cost, bine::butterfly_messages);

}  // namespace tutti::algorithms
