// SPDX-License-Identifier: BSD-3-Clause
// Scatter-allgather broadcast over a ring: blocks are scattered down a binomial tree, then travel
// around a ring in P-1 steps: each rank sends the block that it received in the previous step to
// its right neighbor. Fewer elements than ranks: basic_linear.
//
// Costs are derived: the scatter, then Table 4.1's ring (allgather) of blocks of ceil(m/P):
//   Hockney d l + (m - m/P) / b + (P-1) (l + (m/P) / b)                      d = ceil(log2 P)
//   LogGP   d (L + 2 o - G) + (m - m/P) G + (P-1) (L + 2 o + (m/P - 1) G)
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/bcast/scatter.hpp"

namespace tutti::algorithms {

Task scatter_and_pass_on(Rank& me, CollectiveArgs args) {
  co_await scatter_blocks(me, args);
  const Blocks blocks(args, me.size());
  const RankId procs = me.size();
  const trees::Position at = trees::position_of(me, args.root);
  const RankId v = trees::shifted(at);
  const RankId right = trees::unshifted(at, (v + 1) % procs);
  const RankId left = trees::unshifted(at, (v + procs - 1) % procs);
  for (StepLoop steps(me, args.sample, 0, procs - 1); steps.next();) {
    const std::int64_t coming = (v + procs - steps.step()) % procs;
    co_await me.sendrecv({.to = right,
                          .send = blocks.run((coming + 1) % procs, 1),
                          .from = left,
                          .recv = blocks.run(coming, 1)});
  }
}

Seconds scatter_and_pass_on_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Blocks blocks(args.call, args.procs);
  return scatter_blocks_cost(blocks, args.procs, cost) +
         (args.procs - 1) * cost.hop(blocks.run(0, 1).bytes);
}

std::int64_t scatter_and_pass_on_messages(const ModelArgs& args) {
  const std::int64_t procs = args.procs;
  return scatter_blocks_messages(Blocks(args.call, args.procs)) + procs * (procs - 1);
}

std::vector<StepPhase> scatter_and_pass_on_steps(const ModelArgs& args) {
  const Blocks blocks(args.call, args.procs);
  return {around_a_ring(args.procs, -args.call.root,
                        [blocks](std::int64_t block) { return blocks.run(block, 1).bytes; })};
}

namespace {

using ScatterFirstRing = OrElse<can_scatter, scatter_and_pass_on, scatter_and_pass_on_cost,
                                scatter_and_pass_on_messages, bcast::basic_linear>;

std::vector<StepPhase> bcast_scatter_allgather_ring_steps(const ModelArgs& args) {
  if (args.procs == 1 || too_few_to_scatter(args.call, args.procs)) return {};
  return scatter_and_pass_on_steps(args);
}

}  // namespace

const Algorithm bcast::scatter_allgather_ring{
    .restriction = "at least one element per process",
    .program = ScatterFirstRing::program,
    .cost = ScatterFirstRing::cost,
    .messages = ScatterFirstRing::messages,
    .falls_back_to = scatter_bcast_falls_back_to,
    .steps = bcast_scatter_allgather_ring_steps,
};

}  // namespace tutti::algorithms
