// SPDX-License-Identifier: BSD-3-Clause
// A reduction of blocks around a ring of all ranks: each block travels around once, from left to
// right, and every rank combines it with its own. Used by the ring algorithms of allreduce and
// reduce_scatter.
#pragma once

#include "algorithms/rank_blocks.hpp"

namespace tutti::algorithms {

// The blocks of a vector, each of which may be divided into pieces that travel around the ring in
// separate phases.
class RingPieces {
 public:
  RingPieces(const CollectiveArgs& args, std::int64_t procs, std::int64_t phases = 1)
      : blocks_(RankBlocks::of_vector(args, procs)),
        element_bytes_(args.element_bytes),
        phases_(phases) {}

  const RankBlocks& blocks() const { return blocks_; }
  std::int64_t phases() const { return phases_; }
  // If the division is not exact, the first pieces of a block are one element longer.
  Slice piece(std::int64_t block, std::int64_t phase, std::int32_t buffer) const;

 private:
  RankBlocks blocks_;
  Bytes element_bytes_;
  std::int64_t phases_;
};

// The vector to reduce is in `buffer`. A rank starts with its own block, or with the block of the
// rank `ahead` of it, and finally has the result of the next higher block.
struct RingCall {
  std::int32_t buffer = runtime::recv_buffer;
  std::int64_t ahead = 0;
  StepSample* sample = nullptr;  // see CollectiveArgs
};

// The steps of ring_reduce, one loop per phase; empty if there are too many phases to describe
// each. `ahead`: as in RingCall.
std::vector<StepPhase> ring_reduce_steps(const RingPieces& pieces, int procs, std::int64_t ahead);

// P - 1 steps: each rank posts the receive of the next piece before it waits for the current one,
// combines it and forwards it with a blocking send.
Task ring_reduce(Rank& me, RingPieces pieces, std::int64_t phase, RingCall call);

}  // namespace tutti::algorithms
