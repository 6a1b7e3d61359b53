// SPDX-License-Identifier: BSD-3-Clause
// Allgather over a circulant graph (circulant.hpp), also for blocks of different sizes: as bruck,
// but with the distances 1 = skip(0), skip(1), ..., skip(q-1) = ceil(P/2). Blocks are collected
// from the own one upwards, then copied to their places. Derived: for each of q rounds exchange of
// skip(k+1) - skip(k) blocks, P-1 in all.
#include "algorithms/circulant.hpp"

#include "algorithms/allgather/allgather.hpp"

namespace tutti::algorithms {
namespace {

Task allgather_circulant(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const std::int32_t held = me.id() == 0 ? runtime::recv_buffer : runtime::scratch_buffer;
  const Bytes own = blocks.bytes(me.id());
  if (me.id() != 0) me.allocate(blocks.total());
  me.copy(Slice{0, own, held}, Slice{0, own, runtime::send_buffer});
  co_await circulant::collect_rounds(me, blocks, held);
  if (me.id() != 0) circulant::turn_back(me, blocks, held, runtime::recv_buffer);
}

Seconds allgather_circulant_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return circulant::collect_rounds_cost(RankBlocks::of_blocks(args.call, args.procs), cost);
}

}  // namespace

constinit const Algorithm allgather::circulant{
    .program = allgather_circulant,
    .cost = allgather_circulant_cost,
    .messages = algorithms::circulant::rounds_messages,
};
const Algorithm allgatherv::circulant = allgather::circulant;

}  // namespace tutti::algorithms
