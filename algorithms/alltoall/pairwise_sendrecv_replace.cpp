// SPDX-License-Identifier: BSD-3-Clause
// MPICH's alltoall and alltoallv for MPI_IN_PLACE: each rank exchanges its block with ranks 0, 1,
// ..., P-1 in this order, through a temporary buffer of one block. The pairs (i, j), i < j,
// exchange in lexicographic order. Derived: pair (i, j) follows (i, j-1) and (i-1, j), so the last
// pair is in step 2 P - 3:
//   Hockney (2 P - 3) (l + m/b), LogGP (2 P - 3) (o + max(g, L+o) + (m-1) G)
#include "algorithms/algorithm.hpp"
#include "algorithms/alltoall/personal_blocks.hpp"

namespace tutti::algorithms {
namespace {

Task replace_in_turn(Rank& me, CollectiveArgs args) {
  const PersonalBlocks blocks(me, args);
  for (RankId other = 0; other < me.size(); ++other) {
    if (other == me.id()) {
      blocks.copy_own(me);
      continue;
    }
    const Slice mine = blocks.to(other);
    const Slice copied{.bytes = mine.bytes, .buffer = runtime::scratch_buffer};
    me.copy(copied, mine);
    co_await me.sendrecv({.to = other, .send = copied, .from = other, .recv = blocks.from(other)});
  }
}

Seconds replace_in_turn_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes longest = RankBlocks::of_blocks(args.call, args.procs).longest();
  return (2.0 * args.procs - 3) * cost.exchange(longest);
}

}  // namespace

constinit const Algorithm alltoall::pairwise_sendrecv_replace{
    .program = mpich::program<replace_in_turn>,
    .cost = mpich::cost<replace_in_turn_cost>,
    .messages = mpich::messages<one_per_pair>,
};
const Algorithm alltoallv::pairwise_sendrecv_replace = alltoall::pairwise_sendrecv_replace;

}  // namespace tutti::algorithms
