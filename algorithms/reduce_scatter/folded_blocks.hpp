// SPDX-License-Identifier: BSD-3-Clause
// Shared parts of reduce_scatter and reduce_scatter_block: P is folded to a power of two (the even
// ranks of the first pairs send their whole vector to the odd ranks), and number v represents the
// blocks of its one or two ranks.
#pragma once

#include "algorithms/fold.hpp"
#include "algorithms/models/message_cost.hpp"
#include "algorithms/rank_blocks.hpp"

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
  // The blocks that `count` numbers starting at `first` represent.
  Slice run(RankId first, RankId count, std::int32_t buffer = 0) const {
    const RankId begin = fold_.first_rank(first);
    return blocks_.run(begin, fold_.first_rank(first + count) - begin, buffer);
  }
  // The maximum size of the runs of `count` numbers that occur in a halving.
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

// Copies the whole vector to `mine`; the odd rank of a pair receives the even rank's vector and
// combines it.
Task fold_vectors(Rank& me, FoldedBlocks blocks, std::int32_t mine, std::int32_t other);
// hop(m) + combine(m) if P is not a power of two.
Seconds fold_vectors_cost(const FoldedBlocks& blocks, const models::MessageCost& cost);

// exchange + combine of the longest run of half, a quarter, ... of the numbers.
Seconds halving_steps_cost(const FoldedBlocks& blocks, const models::MessageCost& cost);

// Recursive halving: partners at distance 2^k/2, ..., 2, 1 (2^k ranks stay) exchange the halves
// that the other is responsible for, and combine them; empty halves are not sent. Requires a
// commutative operation. Finally the ranks that stay send the others their blocks.
Task halve_blocks(Rank& me, FoldedBlocks blocks);
// Derived: the fold, then for each distance exchange + combine of the longest run of that many
// blocks, and the hop of a block if P is not a power of two.
Seconds halve_blocks_cost(const FoldedBlocks& blocks, const models::MessageCost& cost);
std::int64_t halve_blocks_messages(const FoldedBlocks& blocks);

// Traeff's butterfly: the halves are exchanged at distance 1, 2, 4, ..., which preserves the order
// of the operands; then v has the blocks of the number with mirrored bits, and sends them there.
Task butterfly_blocks(Rank& me, FoldedBlocks blocks);
// Derived: as halve_blocks, plus the exchange of a block with the mirrored number if at least four
// ranks stay.
Seconds butterfly_blocks_cost(const FoldedBlocks& blocks, const models::MessageCost& cost);
std::int64_t butterfly_blocks_messages(const FoldedBlocks& blocks);

// Only the exchanges of the butterfly, among the ranks that stay. `mine` is the buffer of the
// vector, scratch_buffer or the next one; afterwards it is the buffer of the result.
Task butterfly_exchanges(Rank& me, FoldedBlocks blocks, std::int32_t& mine);

// The butterfly for powers of two and equal blocks, which are first brought into mirrored order, so
// that each rank ends with its own block. Its cost is that of halving_steps_cost.
Task mirrored_butterfly(Rank& me, FoldedBlocks blocks);

// `v` with its lowest `bits` bits reversed.
RankId mirrored(RankId v, int bits);

}  // namespace tutti::algorithms
