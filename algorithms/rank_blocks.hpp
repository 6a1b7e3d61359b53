// SPDX-License-Identifier: BSD-3-Clause
// The blocks of a call in which each rank has one: who has which bytes of the whole result.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/counts.hpp"

namespace tutti::algorithms {

class RankBlocks {
 public:
  // Collectives in blocks: message_bytes each, or the call's counts.
  static RankBlocks of_blocks(const CollectiveArgs& args, std::int64_t procs);
  // The call's counts, or its whole vector in elements dealt out evenly: the first ranks get one
  // more where they do not divide it (reduce_scatter, the rings of allreduce).
  static RankBlocks of_vector(const CollectiveArgs& args, std::int64_t procs);

  std::int64_t count() const { return procs_; }
  Bytes bytes(std::int64_t rank) const { return offset(rank + 1) - offset(rank); }
  // Of the blocks below; `rank` may be count().
  Bytes offset(std::int64_t rank) const;
  Bytes total() const { return offset(procs_); }
  // As far as it is known without looking at each.
  bool equal() const { return counts_ == nullptr && longer_ == 0; }
  // No block is longer than one below it, as far as it is known without looking at each.
  bool first_is_longest() const { return counts_ == nullptr; }
  // How many blocks are not empty.
  std::int64_t filled() const;

  // Of `count` <= P blocks from `first` on, the first after the last one.
  Bytes cyclic_run_bytes(std::int64_t first, std::int64_t count) const {
    const std::int64_t end = first + count;
    return end <= procs_ ? offset(end) - offset(first)
                         : total() - offset(first) + offset(end - procs_);
  }
  // The most bytes of any such run. O(P) with counts.
  Bytes longest_run(std::int64_t count) const;
  Bytes longest() const { return longest_run(1); }

  // The block of `rank`, or `count` blocks from `first` on, in a buffer that holds all blocks.
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
  Bytes short_bytes_;    // without counts: of each block,
  Bytes element_bytes_;  // and what the first have more,
  std::int64_t longer_;  // that many
};

}  // namespace tutti::algorithms
