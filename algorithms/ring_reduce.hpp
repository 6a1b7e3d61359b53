// SPDX-License-Identifier: BSD-3-Clause
// A reduction of blocks around a ring of all ranks: each block goes once around, from left to
// right, and every rank combines it with its own. The allreduces by rings and reduce_scatter's use
// it.
#pragma once

#include "algorithms/rank_blocks.hpp"

namespace tutti::algorithms {

// Blocks of a vector, each of which may be cut into pieces that go around one phase after the
// other.
class RingPieces {
 public:
  RingPieces(const CollectiveArgs& args, std::int64_t procs, std::int64_t phases = 1)
      : blocks_(RankBlocks::of_vector(args, procs)),
        element_bytes_(args.element_bytes),
        phases_(phases) {}

  const RankBlocks& blocks() const { return blocks_; }
  std::int64_t phases() const { return phases_; }
  // The first pieces of a block are one element longer where they are not even.
  Slice piece(std::int64_t block, std::int64_t phase, std::int32_t buffer) const;

 private:
  RankBlocks blocks_;
  Bytes element_bytes_;
  std::int64_t phases_;
};

// The vector that is reduced lies in `buffer`. A rank starts with its own block, or with that of
// the rank `ahead` of it, and ends in charge of the next one up.
struct RingCall {
  std::int32_t buffer = runtime::recv_buffer;
  std::int64_t ahead = 0;
  StepSample* sample = nullptr;  // runs the first steps of each phase; see CollectiveArgs
};

// The steps of ring_reduce, of each phase a loop of its own: none where there are too many phases
// to look at each of them. `ahead`: as in RingCall.
std::vector<StepPhase> ring_reduce_steps(const RingPieces& pieces, int procs, std::int64_t ahead);

// P - 1 steps: the receive of the next piece is posted before the last one is waited for, combined
// and sent on by a blocking send.
Task ring_reduce(Rank& me, RingPieces pieces, std::int64_t phase, RingCall call);

}  // namespace tutti::algorithms
