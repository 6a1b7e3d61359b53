// SPDX-License-Identifier: BSD-3-Clause
// Scatter-allgather broadcast: blocks are scattered down a binomial tree, then collected by
// recursive doubling: in step 2^i partners v and v xor 2^i exchange all that they have. For P that
// is no power of two, ranks whose partner does not exist get that run from a rank of their own
// group afterwards. Fewer elements than ranks: basic_linear.
//
// Costs are derived: the scatter, then Table 4.1's recursive doubling (allgather) of blocks of
// ceil(m/P), and for each incomplete group the rounds in which its missing run spreads:
//   P a power of two: Hockney 2 (d l + (m - m/P) / b), d = log2 P
//                     LogGP   d (L + 2 o - G) + d (o + max(g, L+o) - G) + 2 (m - m/P) G
#include <algorithm>

#include "algorithms/bcast/bcast.hpp"
#include "algorithms/bcast/scatter.hpp"
#include "algorithms/trees.hpp"

namespace tutti::algorithms {
namespace {

using runtime::Rank;
using runtime::RankId;
using runtime::Slice;
using runtime::Task;

// 64 bits, as v + 2^j may pass 2^31.
using Shifted = std::int64_t;

Shifted round_down(Shifted v, Shifted multiple_of) { return v - v % multiple_of; }

RankId rank_at(const trees::Position& at, Shifted v) {
  return trees::unshifted(at, static_cast<RankId>(v));
}

// The ranks of a group of `2 * mask` from `group` on of which only some had a partner in this step:
// the first `holders` of the lower half have the upper half's run. It spreads among the lower half
// by halving: in the round of `distance`, v sends to v + distance.
struct Spread {
  Shifted holders;
  Slice run;

  bool has_it(Shifted v, Shifted distance) const {
    return v < round_down(v, 2 * distance) + holders;
  }
};

Task spread(Rank& me, trees::Position at, Shifted mask, Spread missing) {
  const Shifted v = trees::shifted(at);
  for (Shifted distance = mask / 2; distance > 0; distance /= 2) {
    const Shifted partner = v ^ distance;
    const bool i_have_it = missing.has_it(v, distance);
    const bool partner_has_it = missing.has_it(partner, distance);
    if (partner > v && i_have_it && !partner_has_it)
      co_await me.send({.to = rank_at(at, partner), .data = missing.run});
    else if (partner < v && partner_has_it && !i_have_it)
      co_await me.recv({.from = rank_at(at, partner), .data = missing.run});
  }
}

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
                      {.holders = at.procs - theirs, .run = blocks.run(theirs, mask)});
  }
}

Task bcast_scatter_allgather(Rank& me, CollectiveArgs args) {
  return too_few_to_scatter(args, me.size()) ? bcast_basic_linear(me, args)
                                             : scatter_and_double(me, args);
}

// Rounds until a run that `holders` ranks have has spread to all `mask` of a half group.
int spread_rounds(Shifted holders, Shifted mask) {
  int rounds = 0;
  for (Shifted distance = mask / 2; distance > 0 && 2 * distance > holders; distance /= 2) ++rounds;
  return rounds;
}

Seconds bcast_scatter_allgather_cost(const ModelArgs& args, const models::MessageCost& cost) {
  if (too_few_to_scatter(args.call, args.procs)) return bcast_basic_linear_cost(args, cost);
  const Blocks blocks(args.call, args.procs);
  Seconds total_s = scatter_blocks_cost(blocks, args.procs, cost);
  for (Shifted mask = 1; mask < args.procs; mask *= 2) {
    total_s += cost.exchange(blocks.run(0, mask).bytes);
    const Shifted upper = round_down(args.procs - 1, 2 * mask) + mask;  // of the last group
    if (upper < args.procs && upper + mask > args.procs)
      total_s += spread_rounds(args.procs - upper, mask) * cost.hop(blocks.run(upper, mask).bytes);
  }
  return total_s;
}

// Of the step of `mask`: everyone sends but the ranks without partner, which are of the last group.
// If some ranks of its lower half had one, the others get the upper half's run, a message each.
std::int64_t doubling_messages(Shifted procs, Shifted mask) {
  const Shifted rest = procs % (2 * mask);  // the size of the last group, if it is incomplete
  const Shifted exchanged = procs - rest + 2 * std::max<Shifted>(0, rest - mask);
  return exchanged + (rest > mask ? 2 * mask - rest : 0);
}

std::int64_t bcast_scatter_allgather_messages(const ModelArgs& args) {
  if (args.procs == 1) return 0;
  if (too_few_to_scatter(args.call, args.procs)) return bcast_basic_linear_messages(args);
  std::int64_t total = scatter_blocks_messages(Blocks(args.call, args.procs));
  for (Shifted mask = 1; mask < args.procs; mask *= 2) total += doubling_messages(args.procs, mask);
  return total;
}

}  // namespace

const Algorithm bcast::scatter_allgather{
    .collective = "bcast",
    .name = "scatter_allgather",
    .id = 8,
    .restriction = "an element per process",
    .reference = "Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005",
    .summary = "a binomial scatter, then an allgather by recursive doubling",
    .program = bcast_scatter_allgather,
    .cost = bcast_scatter_allgather_cost,
    .messages = bcast_scatter_allgather_messages,
    .falls_back_to = scatter_bcast_falls_back_to,
};

}  // namespace tutti::algorithms
