// SPDX-License-Identifier: BSD-3-Clause
// Pairwise alltoallv: each rank copies its own block; in step s = 1, 2, ... it sends to rank + s
// and receives from rank - s.
//   Derived: the rank with the longest blocks, m, sends one block in each of P-1 exchanges:
//   Hockney (P-1) (l + m/b), LogGP (P-1) (o + max(g, L+o) + (m-1) G)
#include "algorithms/algorithm.hpp"
#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/personal_blocks.hpp"

namespace tutti::algorithms {
namespace {

Task alltoallv_pairwise(Rank& me, CollectiveArgs args) {
  PersonalBlocks(me, args).copy_own(me);
  co_await exchange_pairwise(me, args);
}

Seconds alltoallv_pairwise_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes longest = RankBlocks::of_blocks(args.call, args.procs).longest();
  return (args.procs - 1) * cost.exchange(longest);
}

}  // namespace

const Algorithm alltoallv::pairwise{
    .program = alltoallv_pairwise,
    .cost = alltoallv_pairwise_cost,
    .messages = one_per_pair,
    .steps = exchange_pairwise_steps,
};

}  // namespace tutti::algorithms
