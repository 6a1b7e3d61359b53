// SPDX-License-Identifier: BSD-3-Clause
// Ring allgather: in each of P-1 steps every rank sends the block that it received in the previous
// step (first its own block) to its right neighbor.
//   Table 4.1: Hockney (P-1) (l + m/b), LogGP (P-1) (L + 2 o + (m-1) G)
// Derived for blocks of different sizes: the longest one makes P-1 hops, and no step takes longer.
#include "algorithms/allgather/allgather.hpp"

namespace tutti::algorithms {

Task allgather_ring(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  copy_own_block(me, blocks);
  const RankId procs = me.size();
  const RankId left = (me.id() + procs - 1) % procs;
  const RankId right = (me.id() + 1) % procs;
  for (StepLoop steps(me, args.sample, 0, procs - 1); steps.next();) {
    const std::int64_t coming = (me.id() + procs - steps.step()) % procs;
    co_await me.sendrecv({.to = right,
                          .send = blocks.block((coming + 1) % procs),
                          .from = left,
                          .recv = blocks.block(coming)});
  }
}

Seconds allgather_ring_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return (args.procs - 1) * cost.hop(RankBlocks::of_blocks(args.call, args.procs).longest());
}

std::vector<StepPhase> allgather_ring_steps(const ModelArgs& args) {
  if (args.call.counts != nullptr) return {};
  return {around_a_ring(args.procs - 1, args.call.message_bytes)};
}

constinit const Algorithm allgather::ring{
    .program = allgather_ring,
    .cost = allgather_ring_cost,
    .messages = one_per_pair,
    .steps = allgather_ring_steps,
};

const Algorithm allgatherv::ring = allgather::ring;

}  // namespace tutti::algorithms
