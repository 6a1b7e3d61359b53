// SPDX-License-Identifier: BSD-3-Clause
// MPICH's ring allgatherv: blocks travel around a ring in pieces of the segment size (by default 32
// KiB, MPIR_CVAR_ALLGATHERV_PIPELINE_MSG_SIZE), if a block is longer. In every step a rank sends
// its next piece to its right neighbor and receives the next one from its left neighbor. Empty
// blocks are not sent. Derived for equal blocks: P-1 blocks of c pieces, each a hop: (P-1) c hop;
// for different sizes, the longest block makes P-1 hops.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/allgatherv/ring_of_pieces.hpp"

namespace tutti::algorithms {
namespace {

RingOfPieces ring_of(const CollectiveArgs& args, std::int64_t procs) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, procs);
  return {.procs = procs,
          .piece = ring_piece(blocks.longest(), args),
          .block = [blocks](std::int64_t rank) { return blocks.block(rank); }};
}

Task allgatherv_ring_mpich(Rank& me, CollectiveArgs args) {
  copy_own_block(me, RankBlocks::of_blocks(args, me.size()));
  co_await pass_pieces(me, ring_of(args, me.size()), args.sample);
}

Seconds allgatherv_ring_mpich_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes longest = RankBlocks::of_blocks(args.call, args.procs).longest();
  return (args.procs - 1) * pieces_cost(longest, ring_piece(longest, args.call), cost);
}

std::vector<StepPhase> allgatherv_ring_mpich_steps(const ModelArgs& args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args.call, args.procs);
  if (!blocks.equal() || blocks.total() == 0) return {};
  const Bytes piece = ring_piece(blocks.bytes(0), args.call);
  if (blocks.bytes(0) % piece != 0) return {};
  return {around_a_ring((args.procs - 1) * (blocks.bytes(0) / piece), piece)};
}

std::int64_t allgatherv_ring_mpich_messages(const ModelArgs& args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args.call, args.procs);
  const Bytes piece = ring_piece(blocks.longest(), args.call);
  const std::int64_t others = args.procs - 1;
  if (blocks.equal()) return others * args.procs * pieces_in(blocks.bytes(0), piece);
  std::int64_t pieces = 0;
  for (std::int64_t rank = 0; rank < blocks.count(); ++rank)
    pieces += pieces_in(blocks.bytes(rank), piece);
  return others * pieces;
}

}  // namespace

const Algorithm allgatherv::ring_mpich{
    .segmented = true,
    .program = mpich::program<allgatherv_ring_mpich>,
    .cost = mpich::cost<allgatherv_ring_mpich_cost>,
    .messages = mpich::messages<allgatherv_ring_mpich_messages>,
    .steps = mpich::steps<allgatherv_ring_mpich_steps>,
};

}  // namespace tutti::algorithms
