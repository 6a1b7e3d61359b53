// SPDX-License-Identifier: BSD-3-Clause
// Bine alltoall, the butterfly of algorithms/bine.hpp with personal blocks: in step s = 0, 1, ...
// partners exchange the blocks of all sources that they have for the ranks on the other's side,
// half of their P blocks. Blocks are sorted by the numbers of their destinations first; in each
// step the sent ones are packed and the kept ones moved together; finally they are sorted by
// sources.
//   Derived: D exchange(P m / 2), D = log2 P

#include "algorithms/bine.hpp"

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

using bine::Butterfly;
using bine::Numbering;
using runtime::Strided;

constexpr std::int32_t leaving_blocks = runtime::scratch_buffer + 2;

// In the list of a rank, the sources of the first 2^s blocks are those of the rank itself before
// step s, the next 2^s those of its partner.
RankId source_at(RankId rank, std::uint32_t position, RankId procs) {
  while (position > 0) {
    const int step = std::bit_width(position) - 1;
    rank = bine::partner(rank, step, procs);
    position -= 1U << step;
  }
  return rank;
}

Task alltoall_bine(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const Butterfly butterfly(trees::position_of(me, 0), Numbering::remapped);
  const RankId procs = me.size();
  std::int32_t held = runtime::scratch_buffer;
  std::int32_t next = runtime::scratch_buffer + 1;
  me.allocate(blocks.total());
  for (RankId rank = 0; rank < procs; ++rank)
    me.copy(blocks.block(butterfly.numbers().number(rank), held),
            blocks.block(rank, runtime::send_buffer));
  for (int step = 0; step < butterfly.steps(); ++step) {
    const RankId partner = butterfly.partner(step);
    const RankId half = procs >> (step + 1);  // destinations on each side
    const std::int64_t sources = std::int64_t{1} << step;
    // The blocks for one side, of all sources.
    const auto side = [&](const Butterfly::Run& run) {
      return Strided{blocks.run(run.first % (2 * half), half, held), blocks.run(0, 2 * half).bytes,
                     sources};
    };
    const auto together = [&](std::int32_t buffer) {
      const Slice first = blocks.run(0, half, buffer);
      return Strided{first, first.bytes, sources};
    };
    me.copy(together(leaving_blocks), side(butterfly.sent(step)));
    me.copy(together(next), side(butterfly.kept(step)));
    co_await me.sendrecv({.to = partner,
                          .send = blocks.run(0, procs / 2, leaving_blocks),
                          .from = partner,
                          .recv = blocks.run(procs / 2, procs / 2, next)});
    std::swap(held, next);
  }
  for (RankId position = 0; position < procs; ++position)
    me.copy(blocks.block(source_at(me.id(), static_cast<std::uint32_t>(position), procs)),
            blocks.block(position, held));
}

Seconds alltoall_bine_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return bine::steps_of(args.procs) * cost.exchange(args.procs / 2 * args.call.message_bytes);
}

}  // namespace

const Algorithm alltoall::bine = bine::published(bine::power_of_two, alltoall_bine,
                                                 alltoall_bine_cost, bine::butterfly_messages);

}  // namespace tutti::algorithms
