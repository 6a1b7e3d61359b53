// SPDX-License-Identifier: BSD-3-Clause
// MPICH's Bruck allgather of radix k (`fanout`): in phase d = 1, k, k^2, ... each rank sends its
// first min(d, P - j d) blocks to the ranks j d below, j = 1 .. k-1, and receives as many from the
// ranks j d above. Finally every rank but 0 copies the blocks from a temporary buffer to their
// places.
// Derived: in each phase exchange of d blocks, then next for each of the other messages.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/mpich.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms {
namespace {

constexpr int default_bruck_radix = 2;  // MPIR_CVAR_ALLGATHER_BRUCKS_KVAL

std::int64_t bruck_radix(const CollectiveArgs& args) {
  return args.fanout == 0 ? default_bruck_radix : args.fanout;
}

Task allgather_k_brucks(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const std::int64_t procs = me.size();
  const std::int64_t radix = bruck_radix(args);
  const std::int32_t held = me.id() == 0 ? runtime::recv_buffer : runtime::scratch_buffer;
  if (me.id() != 0) me.allocate(blocks.total());
  me.copy(blocks.block(0, held), blocks.block(0, runtime::send_buffer));
  for (std::int64_t distance = 1; distance < procs; distance *= radix) {
    std::vector<Request> requests;
    for (std::int64_t j = 1; j < radix && j * distance < procs; ++j) {
      const std::int64_t apart = j * distance;
      const std::int64_t count = std::min(distance, procs - apart);
      requests.push_back(me.irecv({.from = static_cast<RankId>((me.id() + apart) % procs),
                                   .data = blocks.run(apart, count, held)}));
      requests.push_back(me.isend({.to = static_cast<RankId>((me.id() + procs - apart) % procs),
                                   .data = blocks.run(0, count, held)}));
    }
    co_await me.wait_all(requests);
  }
  if (me.id() == 0) co_return;
  const std::int64_t unwrapped = procs - me.id();
  me.copy(blocks.run(0, me.id()), blocks.run(unwrapped, me.id(), held));
  me.copy(blocks.run(me.id(), unwrapped), blocks.run(0, unwrapped, held));
}

Seconds allgather_k_brucks_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const std::int64_t procs = args.procs;
  const std::int64_t radix = bruck_radix(args.call);
  const Bytes m = args.call.message_bytes;
  Seconds total_s = 0;
  for (std::int64_t distance = 1; distance < procs; distance *= radix)
    for (std::int64_t j = 1; j < radix && j * distance < procs; ++j) {
      const Bytes bytes = std::min(distance, procs - j * distance) * m;
      total_s += j == 1 ? cost.exchange(bytes) : cost.next(bytes);
    }
  return total_s;
}

std::int64_t allgather_k_brucks_messages(const ModelArgs& args) {
  const std::int64_t procs = args.procs;
  const std::int64_t radix = bruck_radix(args.call);
  std::int64_t of_rank = 0;
  for (std::int64_t distance = 1; distance < procs; distance *= radix)
    of_rank += std::min(radix - 1, (procs - 1) / distance);
  return procs * of_rank;
}

}  // namespace

const Algorithm allgather::k_brucks{
    .collective = "allgather",
    .name = "k_brucks",
    .set = mpich::set,
    .default_fanout = default_bruck_radix,
    .least_fanout = 2,
    .reference = "Bruck et al., IEEE TPDS 8(11), 1997",
    .summary = "bruck of radix k: each rank sends its blocks to k-1 ranks in every phase",
    .program = mpich::program<allgather_k_brucks>,
    .cost = mpich::cost<allgather_k_brucks_cost>,
    .messages = mpich::messages<allgather_k_brucks_messages>,
};

}  // namespace tutti::algorithms
