// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rank_blocks.hpp"

#include "algorithms/segments.hpp"

namespace tutti::algorithms {

RankBlocks RankBlocks::of_blocks(const CollectiveArgs& args, std::int64_t procs) {
  return {args.counts, procs, args.message_bytes, args.element_bytes, 0};
}

RankBlocks RankBlocks::of_vector(const CollectiveArgs& args, std::int64_t procs) {
  const std::int64_t elements = elements_in(args.message_bytes, args.element_bytes);
  return {args.counts, procs, elements / procs * args.element_bytes, args.element_bytes,
          elements % procs};
}

Bytes RankBlocks::longest_run(std::int64_t count) const {
  if (counts_ == nullptr) return count * short_bytes_ + std::min(count, longer_) * element_bytes_;
  Bytes longest = 0;
  for (std::int64_t first = 0; first < procs_; ++first)
    longest = std::max(longest, cyclic_run_bytes(first, count));
  return longest;
}

std::int64_t RankBlocks::filled() const {
  if (counts_ != nullptr) return counts_->filled();
  return short_bytes_ > 0 ? procs_ : longer_;
}

}  // namespace tutti::algorithms
