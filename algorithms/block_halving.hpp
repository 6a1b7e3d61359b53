// SPDX-License-Identifier: BSD-3-Clause
// Recursive halving of a vector as in MPICH: the vector is divided evenly into one block per rank
// that the fold keeps; in step s partners v and v xor 2^s exchange halves of the blocks that they
// are responsible for. Open MPI's halves (vector_halving.hpp) have other borders, and its folded
// pairs exchange halves.
#pragma once

#include "algorithms/fold.hpp"
#include "algorithms/models/message_cost.hpp"
#include "algorithms/rank_blocks.hpp"

namespace tutti::algorithms {

// The parts of the vector.
class BlockHalves {
 public:
  BlockHalves(const CollectiveArgs& args, const Fold& fold, std::int32_t buffer);

  // The parts that number v keeps and sends in a step; its partner keeps and sends the opposite
  // ones.
  Slice kept(RankId v, int step) const { return after(v, step + 1); }
  Slice sent(RankId v, int step) const { return after(v ^ (RankId{1} << step), step + 1); }
  // The longest part that any rank keeps or sends.
  Bytes longest_bytes(int step) const { return kept(0, step).bytes; }
  Slice whole() const { return after(0, 0); }

 private:
  Slice after(RankId v, int steps) const;

  RankBlocks blocks_;
  std::int32_t buffer_;
};

// Whether there is an element for each rank that the fold keeps, and the operation commutes.
bool can_halve_blocks(const CollectiveArgs& args, int procs);

// Folds the whole vectors, then exchanges and combines halves in `buffer`. Ranks that drop out are
// done after the fold.
Task halve_in_blocks(Rank& me, CollectiveArgs args, Fold fold, std::int32_t buffer);
// Derived. Fold, if P is not a power of two: hop(m) + combine(m); then the steps:
//   sum over s of exchange(m / 2^s) + combine(m / 2^s), s = 1 .. floor(log2 P)
Seconds halve_in_blocks_cost(const ModelArgs& args, const Fold& fold,
                             const models::MessageCost& cost);
std::int64_t halve_in_blocks_messages(const Fold& fold);

}  // namespace tutti::algorithms
