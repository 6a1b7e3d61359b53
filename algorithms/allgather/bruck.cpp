// SPDX-License-Identifier: BSD-3-Clause
// Bruck's allgather: in step d = 1, 2, 4, ... each rank sends the first min(d, P-d) of its blocks
// to rank - d and appends as many blocks received from rank + d. A rank's own block is the first
// one, so finally every rank but 0 rotates the result by `rank` blocks.
//   any P, D = ceil(log2 P) steps: Hockney D l + (P-1) m/b
//                                  LogGP   D (o + max(g, L+o) - G) + (P-1) m G
// Derived: a step is an exchange, as in Table 4.1's recursive doubling; copies cost nothing.

#include "algorithms/allgather/allgather.hpp"

namespace tutti::algorithms {

namespace {

Slice blocks(std::int64_t first, std::int64_t count, Bytes block_bytes,
             std::int32_t buffer = runtime::recv_buffer) {
  return {first * block_bytes, count * block_bytes, buffer};
}

// 64 bits: the doubled distance may exceed 2^31.
std::int64_t blocks_sent(std::int64_t distance, std::int64_t procs) {
  return std::min(distance, procs - distance);
}

}  // namespace

void turn_blocks(Rank& me, Bytes block_bytes) {
  const RankId rank = me.id();
  const RankId unwrapped = me.size() - rank;  // blocks of this rank and higher ranks
  const Slice shifted = blocks(0, unwrapped, block_bytes, runtime::scratch_buffer);
  me.allocate(shifted.bytes);
  me.copy(shifted, blocks(0, unwrapped, block_bytes));
  me.copy(blocks(0, rank, block_bytes), blocks(unwrapped, rank, block_bytes));
  me.copy(blocks(rank, unwrapped, block_bytes), shifted);
}

Task allgather_bruck(Rank& me, CollectiveArgs args) {
  const Bytes bytes = args.message_bytes;
  const std::int64_t procs = me.size();
  me.copy(blocks(0, 1, bytes), blocks(0, 1, bytes, runtime::send_buffer));
  for (std::int64_t distance = 1; distance < procs; distance *= 2) {
    const std::int64_t count = blocks_sent(distance, procs);
    co_await me.sendrecv({.to = static_cast<RankId>((me.id() + procs - distance) % procs),
                          .send = blocks(0, count, bytes),
                          .from = static_cast<RankId>((me.id() + distance) % procs),
                          .recv = blocks(distance, count, bytes)});
  }
  if (me.id() != 0) turn_blocks(me, bytes);
}

Seconds allgather_bruck_cost(const ModelArgs& args, const models::MessageCost& cost) {
  Seconds total_s = 0;
  for (std::int64_t distance = 1; distance < args.procs; distance *= 2)
    total_s += cost.exchange(blocks_sent(distance, args.procs) * args.call.message_bytes);
  return total_s;
}

const Algorithm allgather::bruck{
    .program = allgather_bruck,
    .cost = allgather_bruck_cost,
    .messages = one_per_round,
};

}  // namespace tutti::algorithms
