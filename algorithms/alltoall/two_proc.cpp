// SPDX-License-Identifier: BSD-3-Clause
// Alltoall of two processes, which exchange their blocks.
//   Derived: one exchange, Hockney l + m/b, LogGP o + max(g, L+o) + (m-1) G

#include "algorithms/algorithm.hpp"
#include "algorithms/alltoall/personal_blocks.hpp"

namespace tutti::algorithms {
namespace {

Task alltoall_two_proc(Rank& me, CollectiveArgs args) {
  const PersonalBlocks blocks(me, args);
  const RankId other = two_proc::other(me);
  co_await me.sendrecv(
      {.to = other, .send = blocks.to(other), .from = other, .recv = blocks.from(other)});
  blocks.copy_own(me);
}

Seconds alltoall_two_proc_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return cost.exchange(args.call.message_bytes);
}

}  // namespace

const Algorithm alltoall::two_proc{
    .restriction = algorithms::two_proc::restriction,
    .program = alltoall_two_proc,
    .cost = alltoall_two_proc_cost,
    .messages = algorithms::two_proc::messages,
    .runs = algorithms::two_proc::runs,
};

}  // namespace tutti::algorithms
