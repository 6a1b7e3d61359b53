// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/bine_blocks.hpp"

namespace tutti::algorithms::bine {

std::int64_t blocks_below(RankId v, int step) {
  std::int64_t below = 0;
  for (int done = 0; done < step; ++done)
    if (done % 2 != v % 2) below += std::int64_t{1} << done;
  return below;
}

CyclicRun subtree_blocks(const RankBlocks& blocks, const trees::Position& at, int step) {
  const std::int64_t procs = at.procs;
  const std::int64_t below = blocks_below(trees::shifted(at), step);
  return {blocks, (at.rank + procs - below) % procs, std::int64_t{1} << step};
}

std::vector<Slice> pieces_of(const CyclicRun& run, std::int32_t buffer) {
  std::vector<Slice> pieces{run.until_last()};
  if (run.wraps()) pieces.push_back(run.from_first());
  for (Slice& piece : pieces) piece.buffer = buffer;
  return pieces;
}

// Follows block 0 up the tree: in each step at most the run that contains it wraps around.
std::int64_t subtree_blocks_messages(const ModelArgs& args) {
  const RankId procs = args.procs;
  if (!has_power_of_two(args)) return procs - 1;
  const RankBlocks blocks = RankBlocks::of_blocks({.message_bytes = 1}, procs);
  std::int64_t messages = procs - 1;
  trees::Position at{.rank = 0, .procs = procs, .root = args.call.root};
  for (RankId v = trees::shifted(at); v != 0; v = trees::shifted(at)) {
    const int step = receive_step(v, procs, Distances::halving);
    messages += subtree_blocks(blocks, at, step).wraps();
    at.rank = trees::unshifted(at, partner(v, step, procs));
  }
  return messages;
}

Seconds subtree_blocks_cost(const ModelArgs& args, const models::MessageCost& cost) {
  Seconds total_s = 0;
  for (std::int64_t count = 1; count < args.procs; count *= 2)
    total_s += cost.hop(count * args.call.message_bytes);
  return total_s;
}

}  // namespace tutti::algorithms::bine
