// SPDX-License-Identifier: BSD-3-Clause
// Linear alltoallv: each rank posts all receives, then all sends, in rank order, and waits for all
// of them.
//   Derived: the rank with the longest blocks, m, sends P-1 of them one after the other:
//   Hockney (P-1) (l + m/b), LogGP L + 2 o + (m-1) G + (P-2) (g + (m-1) G)
// No rank receives more than it sends.

#include "algorithms/algorithm.hpp"
#include "algorithms/alltoall/personal_blocks.hpp"

namespace tutti::algorithms {
namespace {

Task alltoallv_basic_linear(Rank& me, CollectiveArgs args) {
  const PersonalBlocks blocks(me, args);
  blocks.copy_own(me);
  co_await me.exchange({.blocks = blocks, .receives = {}, .sends = {}});
}

Seconds alltoallv_basic_linear_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes longest = RankBlocks::of_blocks(args.call, args.procs).longest();
  return cost.hop(longest) + (args.procs - 2) * cost.next(longest);
}

}  // namespace

const Algorithm alltoallv::basic_linear{
    .posts_to_all = true,
    .program = alltoallv_basic_linear,
    .cost = alltoallv_basic_linear_cost,
    .messages = one_per_pair,
};

}  // namespace tutti::algorithms
