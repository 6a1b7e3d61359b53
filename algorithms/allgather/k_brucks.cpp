// SPDX-License-Identifier: BSD-3-Clause
// MPICH's Bruck allgather of radix k (`fanout`), also for blocks of different sizes
// (iallgatherv_tsp_brucks.c): in phase d = 1, k, k^2, ... each rank sends its
// first min(d, P - j d) blocks to the ranks j d below, j = 1 .. k-1, and receives as many from the
// ranks j d above. Finally every rank but 0 copies the blocks from a temporary buffer to their
// places.
// Derived: in each phase exchange of d blocks, then next for each of the other messages.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/radix_bruck.hpp"

namespace tutti::algorithms {
namespace {

constexpr int default_bruck_radix = 2;  // MPIR_CVAR_ALLGATHER_BRUCKS_KVAL

// `count` blocks from that of rank + first, in a buffer that starts with the own block.
Slice brucks_run(const RankBlocks& blocks, RankId rank, std::int64_t first, std::int64_t count,
                 std::int32_t buffer) {
  return {blocks.cyclic_run_bytes(rank, first),
          blocks.cyclic_run_bytes((rank + first) % blocks.count(), count), buffer};
}

Task allgather_k_brucks(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const std::int64_t procs = me.size();
  const std::int64_t radix = fanout_or(default_bruck_radix, args);
  const std::int32_t held = me.id() == 0 ? runtime::recv_buffer : runtime::scratch_buffer;
  const Bytes own = blocks.bytes(me.id());
  if (me.id() != 0) me.allocate(blocks.total());
  me.copy(Slice{0, own, held}, Slice{0, own, runtime::send_buffer});
  for (std::int64_t distance = 1; distance < procs; distance *= radix) {
    std::vector<Request> requests;
    for (std::int64_t j = 1; j < radix && j * distance < procs; ++j) {
      const std::int64_t apart = j * distance;
      const std::int64_t count = std::min(distance, procs - apart);
      requests.push_back(me.irecv({.from = static_cast<RankId>((me.id() + apart) % procs),
                                   .data = brucks_run(blocks, me.id(), apart, count, held)}));
      requests.push_back(me.isend({.to = static_cast<RankId>((me.id() + procs - apart) % procs),
                                   .data = brucks_run(blocks, me.id(), 0, count, held)}));
    }
    co_await me.wait_all(requests);
  }
  if (me.id() == 0) co_return;
  const Slice upper = blocks.run(me.id(), procs - me.id());
  const Slice lower = blocks.run(0, me.id());
  me.copy(lower, Slice{upper.bytes, lower.bytes, held});
  me.copy(upper, Slice{0, upper.bytes, held});
}

Seconds allgather_k_brucks_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const RankBlocks blocks = RankBlocks::of_blocks(args.call, args.procs);
  const std::int64_t procs = args.procs;
  const std::int64_t radix = fanout_or(default_bruck_radix, args.call);
  Seconds total_s = 0;
  for (std::int64_t distance = 1; distance < procs; distance *= radix)
    for (std::int64_t j = 1; j < radix && j * distance < procs; ++j) {
      const Bytes bytes = blocks.longest_run(std::min(distance, procs - j * distance));
      total_s += j == 1 ? cost.exchange(bytes) : cost.next(bytes);
    }
  return total_s;
}

std::int64_t allgather_k_brucks_messages(const ModelArgs& args) {
  return radix_bruck_messages(args.procs, fanout_or(default_bruck_radix, args.call));
}

}  // namespace

constinit const Algorithm allgather::k_brucks{
    .default_fanout = default_bruck_radix,
    .least_fanout = 2,
    .program = mpich::program<allgather_k_brucks>,
    .cost = mpich::cost<allgather_k_brucks_cost>,
    .messages = mpich::messages<allgather_k_brucks_messages>,
};
const Algorithm allgatherv::k_brucks = allgather::k_brucks;

}  // namespace tutti::algorithms
