// SPDX-License-Identifier: BSD-3-Clause
// The blocks of a call in which each rank has one block of the whole result.
#pragma once

#include "algorithms/counts.hpp"

namespace tutti::algorithms {

class RankBlocks {
 public:
  // For collectives in blocks: message_bytes each, or the call's counts.
  static RankBlocks of_blocks(const CollectiveArgs& args, std::int64_t procs);
  // The call's counts, or its whole vector distributed evenly in elements: the first ranks get one
  // more if the division is not exact (reduce_scatter, the rings of allreduce).
  static RankBlocks of_vector(const CollectiveArgs& args, std::int64_t procs);

  std::int64_t count() const { return procs_; }
  Bytes bytes(std::int64_t rank) const { return offset(rank + 1) - offset(rank); }
  // Total size of the blocks below `rank`, which may be count().
  Bytes offset(std::int64_t rank) const {
    if (counts_ != nullptr) return counts_->offset(rank);
    return rank * short_bytes_ + std::min(rank, longer_) * element_bytes_;
  }
  Bytes total() const { return offset(procs_); }
  // Whether all blocks are known to be equal without inspecting each.
  bool equal() const { return counts_ == nullptr && longer_ == 0; }
  // Whether sizes are known not to increase with the rank, without inspecting each block.
  bool first_is_longest() const { return counts_ == nullptr; }
  // Number of non-empty blocks.
  std::int64_t filled() const;

  // Size of `count` <= P blocks starting at `first`, wrapping around after the last one.
  Bytes cyclic_run_bytes(std::int64_t first, std::int64_t count) const {
    const std::int64_t end = first + count;
    return end <= procs_ ? offset(end) - offset(first)
                         : total() - offset(first) + offset(end - procs_);
  }
  // The maximum size of any such run. O(P) with counts.
  Bytes longest_run(std::int64_t count) const;
  Bytes longest() const { return longest_run(1); }

  // The block of `rank`, or `count` blocks starting at `first`, in a buffer of all blocks.
  Slice block(std::int64_t rank, std::int32_t buffer = runtime::recv_buffer) const {
    return run(rank, 1, buffer);
  }
  Slice run(std::int64_t first, std::int64_t count,
            std::int32_t buffer = runtime::recv_buffer) const {
    return {offset(first), offset(first + count) - offset(first), buffer};
  }

 private:
  RankBlocks(const Counts* counts, std::int64_t procs, Bytes short_bytes, Bytes element_bytes,
             std::int64_t longer)
      : counts_(counts),
        procs_(procs),
        short_bytes_(short_bytes),
        element_bytes_(element_bytes),
        longer_(longer) {}

  const Counts* counts_;
  std::int64_t procs_;
  // Without counts: each block has short_bytes_, the first longer_ blocks have one element more.
  Bytes short_bytes_;
  Bytes element_bytes_;
  std::int64_t longer_;
};

}  // namespace tutti::algorithms
