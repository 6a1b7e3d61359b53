// SPDX-License-Identifier: BSD-3-Clause
// Allgather of two processes, which exchange their blocks.
//   Derived: one exchange, Hockney l + m/b, LogGP o + max(g, L+o) + (m-1) G, of the longer block

#include "algorithms/allgather/allgather.hpp"

namespace tutti::algorithms {
namespace {

Task allgather_two_proc(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const RankId other = two_proc::other(me);
  co_await me.sendrecv({.to = other,
                        .send = {.bytes = blocks.bytes(me.id()), .buffer = runtime::send_buffer},
                        .from = other,
                        .recv = blocks.block(other)});
  copy_own_block(me, blocks);
}

Seconds allgather_two_proc_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return cost.exchange(RankBlocks::of_blocks(args.call, args.procs).longest());
}

}  // namespace

constinit const Algorithm allgather::two_proc{
    .restriction = algorithms::two_proc::restriction,
    .program = allgather_two_proc,
    .cost = allgather_two_proc_cost,
    .messages = algorithms::two_proc::messages,
    .runs = algorithms::two_proc::runs,
};

const Algorithm allgatherv::two_proc = allgather::two_proc;

}  // namespace tutti::algorithms
