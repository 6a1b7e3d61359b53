// SPDX-License-Identifier: BSD-3-Clause
// What reduce_scatter and reduce_scatter_block share: P folds to a power of two (even ranks of the
// first pairs give their whole vector to the odd ones), and number v stands for the blocks of the
// ranks that it stands for.
#pragma once

#include "algorithms/fold.hpp"
#include "algorithms/models/message_cost.hpp"
#include "algorithms/rank_blocks.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms {

class FoldedBlocks {
 public:
  explicit FoldedBlocks(const RankBlocks& blocks)
      : blocks_(blocks), fold_(static_cast<RankId>(blocks.count()), Fold::Stays::odd) {}
  static FoldedBlocks of_blocks(const CollectiveArgs& args, std::int64_t procs) {
    return FoldedBlocks(RankBlocks::of_blocks(args, procs));
  }
  static FoldedBlocks of_vector(const CollectiveArgs& args, std::int64_t procs) {
    return FoldedBlocks(RankBlocks::of_vector(args, procs));
  }

  const RankBlocks& ranks() const { return blocks_; }
  const Fold& fold() const { return fold_; }
  Slice whole(std::int32_t buffer) const { return {0, blocks_.total(), buffer}; }
  // What `count` numbers from `first` on stand for.
  Slice run(RankId first, RankId count, std::int32_t buffer = 0) const {
    const RankId begin = fold_.first_rank(first);
    return blocks_.run(begin, fold_.first_rank(first + count) - begin, buffer);
  }
  // The longest of the runs of so many numbers that a halving meets.
  Bytes longest_run(RankId count) const {
    if (blocks_.first_is_longest()) return run(0, count).bytes;
    Bytes longest = 0;
    for (RankId first = 0; first < fold_.size(); first += count)
      longest = std::max(longest, run(first, count).bytes);
    return longest;
  }

 private:
  RankBlocks blocks_;
  Fold fold_;
};

// The whole vector is copied to `mine`; of a pair the odd rank gets the even one's and combines.
Task fold_vectors(Rank& me, FoldedBlocks blocks, std::int32_t mine, std::int32_t other);
// hop(m) + combine(m) if P is no power of two.
Seconds fold_vectors_cost(const FoldedBlocks& blocks, const models::MessageCost& cost);

// Exchange and combine of the longest run of half, a quarter, ... of the numbers.
Seconds halving_steps_cost(const FoldedBlocks& blocks, const models::MessageCost& cost);

// Recursive halving: partners at distance 2^k/2, ..., 2, 1 (of 2^k that stay) exchange the halves
// that the other is in charge of, and combine; empty ones are not sent. Needs a commutative
// operation. Those that stay send those that dropped out their blocks.
Task halve_blocks(Rank& me, FoldedBlocks blocks);
// Derived: the fold, then for each distance exchange + combine of the longest run of so many
// blocks, and hop of a block if P is no power of two.
Seconds halve_blocks_cost(const FoldedBlocks& blocks, const models::MessageCost& cost);
std::int64_t halve_blocks_messages(const FoldedBlocks& blocks);

// Traeff's butterfly: the halves are exchanged at distance 1, 2, 4, ..., which keeps the order of
// the operands; then v has the blocks of the number with its bits mirrored, and sends them there.
Task butterfly_blocks(Rank& me, FoldedBlocks blocks);
// Derived: as halve_blocks, and exchange of a block for the mirrored number (four and more stay).
Seconds butterfly_blocks_cost(const FoldedBlocks& blocks, const models::MessageCost& cost);
std::int64_t butterfly_blocks_messages(const FoldedBlocks& blocks);

// The butterfly's exchanges alone, of the ranks that stay. `mine`, scratch_buffer or the next one,
// holds the vector; afterwards it is the one of both that holds the result.
Task butterfly_exchanges(Rank& me, FoldedBlocks blocks, std::int32_t& mine);

// `v` with its lowest `bits` bits in reverse.
RankId mirrored(RankId v, int bits);

}  // namespace tutti::algorithms
