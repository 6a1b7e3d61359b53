// SPDX-License-Identifier: BSD-3-Clause
// Allgather by neighbor exchange, for even P: first ranks 2i and 2i+1 exchange their blocks; then
// in each of P/2-1 steps a rank exchanges the pair of blocks that it received last with one of its
// two neighbors, alternately. Odd P: ring.
//   Table 4.1: Hockney l + m/b + (P/2-1) (l + 2 m/b)
//              LogGP   P/2 (L + 2 o + (2 m - 1) G) - m G
// Both are one hop of a block and P/2-1 hops of two blocks. Derived for blocks of different sizes:
// the longest block and the longest pair instead.

#include "algorithms/allgather/allgather.hpp"

namespace tutti::algorithms {

namespace {

// The partner in steps 0, 1, 2, ...: even ranks start with the right neighbor and alternate; odd
// ranks start with the left one.
RankId partner_of(RankId rank, std::int64_t step, RankId procs) {
  return (rank + step) % 2 == 0 ? right_of(rank, step, procs) : left_of(rank, step, procs);
}

Task exchange_pairs(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  copy_own_block(me, blocks);
  const std::int64_t procs = me.size();
  const std::int64_t rank = me.id();
  const bool is_even = rank % 2 == 0;
  const RankId first = partner_of(me.id(), 0, me.size());
  co_await me.sendrecv(
      {.to = first, .send = blocks.block(rank), .from = first, .recv = blocks.block(first)});
  // The last pair received from each neighbor, given by its even rank; advances by one pair each
  // time.
  std::int64_t newest = is_even ? rank : rank - 1;
  std::int64_t last_from[] = {newest, newest};
  const std::int64_t onward[] = {is_even ? 2 : procs - 2, is_even ? procs - 2 : 2};
  for (StepLoop steps(me, args.sample, 0, procs / 2 - 1); steps.next();) {
    const std::int64_t side = steps.step() % 2;
    const RankId partner = partner_of(me.id(), side, me.size());
    last_from[side] = (last_from[side] + onward[side]) % procs;
    co_await me.sendrecv({.to = partner,
                          .send = blocks.run(newest, 2),
                          .from = partner,
                          .recv = blocks.run(last_from[side], 2)});
    newest = last_from[side];
  }
}

Bytes longest_pair(const RankBlocks& blocks) {
  if (blocks.equal()) return blocks.run(0, 2).bytes;
  Bytes longest = 0;
  for (std::int64_t rank = 0; rank < blocks.count(); rank += 2)
    longest = std::max(longest, blocks.run(rank, 2).bytes);
  return longest;
}

Task allgather_neighbor(Rank& me, CollectiveArgs args) {
  return me.size() % 2 == 0 ? exchange_pairs(me, args) : allgather_ring(me, args);
}

Seconds allgather_neighbor_cost(const ModelArgs& args, const models::MessageCost& cost) {
  if (args.procs % 2 == 1) return allgather_ring_cost(args, cost);
  const RankBlocks blocks = RankBlocks::of_blocks(args.call, args.procs);
  return cost.hop(blocks.longest()) + (args.procs / 2 - 1) * cost.hop(longest_pair(blocks));
}

std::int64_t allgather_neighbor_messages(const ModelArgs& args) {
  if (args.procs % 2 == 1) return one_per_pair(args);
  return static_cast<std::int64_t>(args.procs) * (args.procs / 2);
}

std::string_view allgather_neighbor_falls_back_to(const ModelArgs& args) {
  return args.procs % 2 == 0 ? "" : "ring";
}

std::vector<StepPhase> allgather_neighbor_steps(const ModelArgs& args) {
  if (args.procs % 2 == 1 || args.call.counts != nullptr) return allgather_ring_steps(args);
  return {{.count = args.procs / 2 - 1,
           .period = 2,
           .message_bytes = 2 * args.call.message_bytes,
           .to = partner_of,
           .from = partner_of}};
}

}  // namespace

constinit const Algorithm allgather::neighbor{
    .restriction = "an even P",
    .program = allgather_neighbor,
    .cost = allgather_neighbor_cost,
    .messages = allgather_neighbor_messages,
    .falls_back_to = allgather_neighbor_falls_back_to,
    .steps = allgather_neighbor_steps,
};

const Algorithm allgatherv::neighbor = allgather::neighbor;

}  // namespace tutti::algorithms
