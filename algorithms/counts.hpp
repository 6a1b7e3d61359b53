// SPDX-License-Identifier: BSD-3-Clause
// How many bytes each rank contributes, or gets: the counts of the v collectives and of
// reduce_scatter. One table for all ranks of a job.
#pragma once

#include <vector>

#include "sim/base/units.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::algorithms {

class Counts {
 public:
  // Not negative; their sum fits 63 bits.
  explicit Counts(const std::vector<Bytes>& bytes_of_rank);

  runtime::RankId ranks() const { return static_cast<runtime::RankId>(offsets_.size()) - 1; }
  Bytes bytes(std::int64_t rank) const { return offsets_[rank + 1] - offsets_[rank]; }
  // Of the ranks below, together; `rank` may be ranks().
  Bytes offset(std::int64_t rank) const { return offsets_[rank]; }
  Bytes total() const { return offsets_.back(); }
  // How many ranks have bytes at all.
  std::int64_t filled() const { return filled_; }

 private:
  std::vector<Bytes> offsets_;  // one more than ranks
  std::int64_t filled_ = 0;
};

}  // namespace tutti::algorithms
