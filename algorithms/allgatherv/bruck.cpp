// SPDX-License-Identifier: BSD-3-Clause
// Bruck's allgatherv: in step d = 1, 2, 4, ... each rank sends the min(d, P-d) blocks starting with
// its own to rank - d and receives those starting with block rank + d. Every block is received at
// its place in the result, so no final rotation is needed; a run of blocks that wraps around is
// packed into one message and unpacked.
//   Derived: a step is an exchange of the longest run of that many blocks; for equal blocks the
//   cost of allgather's bruck: Hockney D l + (P-1) m/b, LogGP D (o + max(g, L+o) - G) + (P-1) m G

#include "algorithms/allgather/allgather.hpp"
#include "algorithms/cyclic_run.hpp"

namespace tutti::algorithms {
namespace {

constexpr std::int32_t packed_out = runtime::scratch_buffer;
constexpr std::int32_t packed_in = runtime::scratch_buffer + 1;

Task allgatherv_bruck(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  copy_own_block(me, blocks);
  const std::int64_t procs = me.size();
  for (std::int64_t distance = 1; distance < procs; distance *= 2) {
    const std::int64_t count = std::min(distance, procs - distance);
    const std::int64_t to = (me.id() + procs - distance) % procs;
    const std::int64_t from = (me.id() + distance) % procs;
    const CyclicRun mine(blocks, me.id(), count);
    const CyclicRun theirs(blocks, from, count);
    mine.pack(me, packed_out);
    co_await me.sendrecv({.to = static_cast<RankId>(to),
                          .send = mine.message(packed_out),
                          .from = static_cast<RankId>(from),
                          .recv = theirs.message(packed_in)});
    theirs.unpack(me, packed_in);
  }
}

Seconds allgatherv_bruck_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const RankBlocks blocks = RankBlocks::of_blocks(args.call, args.procs);
  Seconds total_s = 0;
  for (std::int64_t distance = 1; distance < args.procs; distance *= 2)
    total_s += cost.exchange(blocks.longest_run(std::min(distance, args.procs - distance)));
  return total_s;
}

}  // namespace

const Algorithm allgatherv::bruck{
    .program = allgatherv_bruck,
    .cost = allgatherv_bruck_cost,
    .messages = one_per_round,
};

}  // namespace tutti::algorithms
