// SPDX-License-Identifier: BSD-3-Clause
// Bine allgather with increasing distances: in step s = 0, 1, ... partners exchange their 2^s
// blocks, which are contiguous on the ring of ranks: the ranks between a rank and its partner.
// Where they wrap around after the last rank, bine_2_blocks sends a second message, first and
// blocking; bine_2_blocks_dtype packs both pieces into one.
//   Derived, D = log2 P: sum of exchange(m 2^s), s = 0 .. D-1

#include "algorithms/allgather/allgather.hpp"
#include "algorithms/bine_blocks.hpp"

namespace tutti::algorithms {
namespace {

CyclicRun blocks_before(const RankBlocks& blocks, RankId rank, int step) {
  return bine::subtree_blocks(
      blocks, {.rank = rank, .procs = static_cast<RankId>(blocks.count()), .root = 0}, step);
}

Task allgather_bine_2_blocks(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  copy_own_block(me, blocks);
  for (int step = 0; step < bine::steps_of(me.size()); ++step) {
    const RankId partner = bine::partner(me.id(), step, me.size());
    const CyclicRun mine = blocks_before(blocks, me.id(), step);
    const CyclicRun theirs = blocks_before(blocks, partner, step);
    Request second;
    if (theirs.wraps()) second = me.irecv({.from = partner, .tag = 1, .data = theirs.from_first()});
    if (mine.wraps()) co_await me.send({.to = partner, .tag = 1, .data = mine.from_first()});
    co_await me.sendrecv(
        {.to = partner, .send = mine.until_last(), .from = partner, .recv = theirs.until_last()});
    if (theirs.wraps()) co_await me.wait(second);
  }
}

Task allgather_bine_2_blocks_dtype(Rank& me, CollectiveArgs args) {
  constexpr std::int32_t packed_to_send = runtime::scratch_buffer;
  constexpr std::int32_t packed_to_receive = runtime::scratch_buffer + 1;
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  copy_own_block(me, blocks);
  for (int step = 0; step < bine::steps_of(me.size()); ++step) {
    const RankId partner = bine::partner(me.id(), step, me.size());
    const CyclicRun mine = blocks_before(blocks, me.id(), step);
    const CyclicRun theirs = blocks_before(blocks, partner, step);
    mine.pack(me, packed_to_send);
    co_await me.sendrecv({.to = partner,
                          .send = mine.message(packed_to_send),
                          .from = partner,
                          .recv = theirs.message(packed_to_receive)});
    theirs.unpack(me, packed_to_receive);
  }
}

Seconds allgather_bine_2_blocks_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return bine::gather_blocks_cost(RankBlocks::of_blocks(args.call, args.procs), cost);
}

// Of the 2^s - 1 cyclic runs of 2^s blocks that wrap around, half belong to even ranks.
std::int64_t runs_that_wrap(std::int64_t procs, int step) {
  const std::int64_t length = std::int64_t{1} << step;
  std::int64_t wrapping = 0;
  for (const RankId parity : {0, 1}) {
    // Ranks with procs - length < rank - below < procs, modulo procs.
    const std::int64_t below = bine::blocks_below(parity, step);
    const std::int64_t first = procs - length + 1 + below;
    const std::int64_t end = procs + below;
    const auto up_to = [&](std::int64_t limit) { return (limit - parity + 1) / 2; };
    wrapping += up_to(end) - up_to(first);
  }
  return wrapping;
}

std::int64_t allgather_bine_2_blocks_messages(const ModelArgs& args) {
  std::int64_t total = bine::butterfly_messages(args);
  for (int step = 0; step < bine::steps_of(args.procs); ++step)
    total += runs_that_wrap(args.procs, step);
  return total;
}

}  // namespace

const Algorithm allgather::bine_2_blocks =
    bine::published(bine::power_of_two, allgather_bine_2_blocks, allgather_bine_2_blocks_cost,
                    allgather_bine_2_blocks_messages);

const Algorithm allgather::bine_2_blocks_dtype =
    bine::published(bine::power_of_two, allgather_bine_2_blocks_dtype, allgather_bine_2_blocks_cost,
                    bine::butterfly_messages);

}  // namespace tutti::algorithms
