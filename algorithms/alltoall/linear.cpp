// SPDX-License-Identifier: BSD-3-Clause
// Linear alltoall: each rank posts all receives, starting with rank + 1 in ascending order, then
// all sends, starting with rank - 1 in descending order, and waits for all of them.
//   Table 4.1: Hockney (P-1) (l + m/b), LogGP L + 2 o + (m-1) G + 2 (P-1) g
// The published LogGP formula has no (P-1) m G: it is valid for small blocks only.

#include "algorithms/algorithm.hpp"
#include "algorithms/alltoall/personal_blocks.hpp"

namespace tutti::algorithms {
namespace {

Task alltoall_linear(Rank& me, CollectiveArgs args) {
  const PersonalBlocks blocks(me, args);
  blocks.copy_own(me);
  co_await me.exchange(descending_sends(me, blocks));
}

Seconds alltoall_linear_printed(const ModelArgs& args, const platforms::LogGPParameters& p) {
  const Bytes m = args.call.message_bytes;
  return models::LogGPCost(p, args.combine_Bps).hop(m) + 2 * (args.procs - 1) * p.g_s(m);
}

}  // namespace

const Algorithm alltoall::linear{
    .posts_to_all = true,
    .posts_by_distance = true,
    .program = alltoall_linear,
    .cost = train_cost,
    .printed_loggp = alltoall_linear_printed,
    .messages = one_per_pair,
};

}  // namespace tutti::algorithms
