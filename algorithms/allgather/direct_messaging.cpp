// SPDX-License-Identifier: BSD-3-Clause
// Direct messaging: each rank posts, for one other rank after the other, starting with its right
// neighbor, the receive of its block and the send of the own block; then it waits for all.
//   Derived: Hockney (P-1) (l + m/b), LogGP L + 2 o + (m-1) G + (P-2) (g + (m-1) G)
#include "algorithms/allgather/allgather.hpp"

namespace tutti::algorithms {
namespace {

Task exchange_directly(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  copy_own_block(me, blocks);
  const RankId procs = me.size();
  const Slice mine{.bytes = args.message_bytes, .buffer = runtime::send_buffer};
  std::vector<Request> requests;
  requests.reserve(2 * static_cast<std::size_t>(procs - 1));
  for (RankId step = 1; step < procs; ++step) {
    const auto other = static_cast<RankId>((std::int64_t{me.id()} + step) % procs);
    requests.push_back(me.irecv({.from = other, .data = blocks.block(other)}));
    requests.push_back(me.isend({.to = other, .data = mine}));
  }
  co_await me.wait_all(requests);
}

Seconds exchange_directly_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes m = args.call.message_bytes;
  return cost.hop(m) + (args.procs - 2) * cost.next(m);
}

std::int64_t exchange_directly_messages(const ModelArgs& args) {
  return static_cast<std::int64_t>(args.procs) * (args.procs - 1);
}

}  // namespace

const Algorithm allgather::direct_messaging{
    .collective = "allgather",
    .name = "direct-messaging",
    .id = 8,
    .set = "ompi-6",
    .posts_to_all = true,
    .reference = "Open MPI main, coll_base_allgather.c",
    .summary = "each rank exchanges blocks with all others at once",
    .program = exchange_directly,
    .cost = exchange_directly_cost,
    .messages = exchange_directly_messages,
};

}  // namespace tutti::algorithms
