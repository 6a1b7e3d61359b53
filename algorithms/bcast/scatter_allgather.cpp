// SPDX-License-Identifier: BSD-3-Clause
// Scatter-allgather broadcast: blocks are scattered down a binomial tree, then collected by
// recursive doubling: in step 2^i partners v and v xor 2^i exchange all their blocks. If P is not a
// power of two, ranks whose partner does not exist receive the missing run from a rank of their own
// group afterwards. Fewer elements than ranks: basic_linear.
//
// Costs are derived: the scatter, then Table 4.1's recursive doubling (allgather) of blocks of
// ceil(m/P), and for each incomplete group the rounds in which its missing run spreads:
//   P a power of two: Hockney 2 (d l + (m - m/P) / b), d = log2 P
//                     LogGP   d (L + 2 o - G) + d (o + max(g, L+o) - G) + 2 (m - m/P) G
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/bcast/scatter.hpp"
#include "algorithms/incomplete_groups.hpp"

namespace tutti::algorithms {
namespace {

RankId rank_at(const trees::Position& at, Shifted v) {
  return trees::unshifted(at, static_cast<RankId>(v));
}

}  // namespace

Task scatter_and_double(Rank& me, CollectiveArgs args) {
  co_await scatter_blocks(me, args);
  const Blocks blocks(args, me.size());
  const trees::Position at = trees::position_of(me, args.root);
  const Shifted v = trees::shifted(at);
  for (Shifted mask = 1; mask < at.procs; mask *= 2) {
    const Shifted partner = v ^ mask;
    const Shifted mine = round_down(v, mask);
    const Shifted theirs = round_down(partner, mask);
    if (partner < at.procs)
      co_await me.sendrecv({.to = rank_at(at, partner),
                            .send = blocks.run(mine, mask),
                            .from = rank_at(at, partner),
                            .recv = blocks.run(theirs, mask)});
    if (theirs + mask > at.procs)
      co_await spread(me, at, mask,
                      {.holders = at.procs - theirs, .data = blocks.run(theirs, mask)});
  }
}

Seconds scatter_and_double_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Blocks blocks(args.call, args.procs);
  Seconds total_s = scatter_blocks_cost(blocks, args.procs, cost);
  for (Shifted mask = 1; mask < args.procs; mask *= 2) {
    total_s += cost.exchange(blocks.run(0, mask).bytes);
    const Shifted upper = round_down(args.procs - 1, 2 * mask) + mask;  // in the last group
    if (upper < args.procs && upper + mask > args.procs)
      total_s += spread_rounds(args.procs - upper, mask) * cost.hop(blocks.run(upper, mask).bytes);
  }
  return total_s;
}

std::int64_t scatter_and_double_messages(const ModelArgs& args) {
  std::int64_t total = scatter_blocks_messages(Blocks(args.call, args.procs));
  for (Shifted mask = 1; mask < args.procs; mask *= 2) total += doubling_messages(args.procs, mask);
  return total;
}

namespace {

using ScatterFirstDouble = OrElse<can_scatter, scatter_and_double, scatter_and_double_cost,
                                  scatter_and_double_messages, bcast::basic_linear>;

}  // namespace

const Algorithm bcast::scatter_allgather{
    .restriction = "at least one element per process",
    .program = ScatterFirstDouble::program,
    .cost = ScatterFirstDouble::cost,
    .messages = ScatterFirstDouble::messages,
    .falls_back_to = scatter_bcast_falls_back_to,
};

}  // namespace tutti::algorithms
